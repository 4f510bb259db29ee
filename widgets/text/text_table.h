// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/table.h"

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QStyledItemDelegate>

#include <vector>

class QTableView;
class QWidget;

namespace quadric::widgets {

struct TextColumn {
    QString title;
    QString tooltip; ///< one plain sentence; empty for what explains itself
    bool isNumber = false;
};

/// A table as people read it, for the screen and for paper.
struct TextTable {
    QString caption;
    std::vector<TextColumn> columns;
    std::vector<QStringList> rows;
    QString note; ///< below the table: what is marked, what is missing
};

/// The table of core/report as a page sets it.
TextTable typeset(const report::Table& table);

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

/// The table as lines of cells separated by tabs, as spreadsheets take it: with its header, numbers without
/// thousands separators and with a plain minus.
QString tabSeparated(const TextTable& table);

/// Opens the table beside the window, without blocking it, with a button that copies it.
void showTable(QWidget* parent, const TextTable& table);

} // namespace quadric::widgets
