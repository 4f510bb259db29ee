// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text/text_table.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

class QTableView;

namespace quadric::widgets {

/// A TextTable on the screen: read only, numbers to the right, tooltips in the header.
class TextTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(TextTable table);
    void setTable(const report::Table& table) { setTable(typeset(table)); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TextTable m_table;
};

/// Cells with the room on both sides that the header has.
class TableDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    static constexpr int kRoom = 4; ///< added to what the style leaves
};

/// The look that all our tables share: no heavy grid, whole rows, columns as wide as what they hold.
void setUpTable(QTableView& view);

} // namespace quadric::widgets
