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
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

private:
    QStringList m_choices;
    bool m_isOpen;
};

class SheetModel;

/// A table that is typed into as into any spreadsheet: any key replaces what a cell contains, Enter goes
/// down, Tab to the right and from the empty last row out of the table, Delete empties, Ctrl+C and Ctrl+V
/// copy and paste blocks.
class Spreadsheet : public QTableView {
    Q_OBJECT

public:
    explicit Spreadsheet(SheetModel& sheet, QWidget* parent = nullptr);

    /// Row of the record of the current cell, −1 where there is none.
    int currentRow() const;
    /// What the clipboard contains, at the current cell; below the last row where there is none.
    void paste();
    void keyboardSearch(const QString&) override {} ///< keys are typed into cells

protected:
    using QTableView::edit;
    bool edit(const QModelIndex& index, EditTrigger trigger, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void fitColumns();
    void needCell();
    void copy() const;
    void emptyCells();
    bool goDown();
    bool goTo(int step);

    SheetModel& m_sheet;
};

/// Fills a page with a table and, under it, the buttons that act on its rows.
void layOutTable(QWidget& page, Spreadsheet& table, const QList<QWidget*>& buttons);

} // namespace quadric::widgets
