// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStyledItemDelegate>
#include <QTableView>

namespace quadric::widgets {

/// A cell that takes one of a few texts.
class ChoiceDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    /// With `isOpen` any other text can be typed too.
    ChoiceDelegate(QStringList choices, bool isOpen, QObject* parent);
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

private:
    QStringList m_choices;
    bool m_isOpen;
};

/// A table that is typed into: any key starts editing, Tab goes on to the next cell.
class Spreadsheet : public QTableView {
    Q_OBJECT

public:
    explicit Spreadsheet(QWidget* parent = nullptr);
    void setModel(QAbstractItemModel* model) override;

    /// Row of the current cell, −1 where there is none.
    int currentRow() const;

private:
    void fitColumns();
};

/// Fills a page with a table and, under it, the buttons that act on its rows.
void layOutTable(QWidget& page, Spreadsheet& table, const QList<QWidget*>& buttons);

} // namespace quadric::widgets
