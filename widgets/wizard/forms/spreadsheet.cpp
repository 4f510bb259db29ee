// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/spreadsheet.h"

#include "widgets/base/style.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace quadric::widgets {

ChoiceDelegate::ChoiceDelegate(QStringList choices, bool isOpen, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_choices(std::move(choices))
    , m_isOpen(isOpen)
{
}

QWidget* ChoiceDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const
{
    auto* box = new QComboBox(parent);
    box->addItems(m_choices);
    box->setEditable(m_isOpen);
    box->setInsertPolicy(QComboBox::NoInsert);
    auto* self = const_cast<ChoiceDelegate*>(this); // the delegate's signals are not const
    connect(box, &QComboBox::activated, self, [self, box] {
        emit self->commitData(box);
        emit self->closeEditor(box);
    });
    return box;
}

void ChoiceDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    auto* box = static_cast<QComboBox*>(editor);
    const QString text = index.data(Qt::EditRole).toString();
    box->setCurrentIndex(box->findText(text));
    if (m_isOpen)
        box->setEditText(text);
}

void ChoiceDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    model->setData(index, static_cast<QComboBox*>(editor)->currentText(), Qt::EditRole);
}

Spreadsheet::Spreadsheet(QWidget* parent)
    : QTableView(parent)
{
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed | SelectedClicked);
    setSelectionMode(SingleSelection);
    setStyleSheet(
        QStringLiteral("QHeaderView { background: palette(base); }"
                       "QHeaderView::section { background: palette(base); padding: 4px 4px; border: none;"
                       " border-bottom: 1px solid palette(mid); }"));
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 2 * kGap);
    horizontalHeader()->setHighlightSections(false);
}

void Spreadsheet::setModel(QAbstractItemModel* model)
{
    QTableView::setModel(model);
    connect(model, &QAbstractItemModel::modelReset, this, &Spreadsheet::fitColumns);
    connect(model, &QAbstractItemModel::dataChanged, this, &Spreadsheet::fitColumns);
    fitColumns();
}

int Spreadsheet::currentRow() const
{
    return currentIndex().isValid() ? currentIndex().row() : -1;
}

void Spreadsheet::fitColumns()
{
    const int least = fontMetrics().horizontalAdvance(QStringLiteral("continuous")) + 3 * kGap;
    for (int column = 0; column < model()->columnCount(); ++column)
        setColumnWidth(column, std::max(least, std::max(sizeHintForColumn(column),
                                                        horizontalHeader()->sectionSizeHint(column)) +
                                                   kGap));
}

void layOutTable(QWidget& page, Spreadsheet& table, const QList<QWidget*>& buttons)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    for (QWidget* button : buttons)
        row->addWidget(button);
    row->addStretch();
    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(&table, 1);
    layout->addLayout(row);
}

} // namespace quadric::widgets
