// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/text_table_model.h"

#include <QApplication>
#include <QHeaderView>
#include <QTableView>

namespace quadric::widgets {

void TextTableModel::setTable(TextTable table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int TextTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int TextTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant TextTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const TextColumn& column = m_table.columns[static_cast<std::size_t>(index.column())];
    if (role == Qt::DisplayRole)
        return m_table.rows[static_cast<std::size_t>(index.row())].value(index.column());
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty())
        return column.tooltip;
    return {};
}

QVariant TextTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TextColumn& column = m_table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty())
        return column.tooltip;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &ground, painter, option.widget);
    QStyleOptionViewItem inside = option;
    inside.rect.adjust(kRoom, 0, -kRoom, 0);
    QStyledItemDelegate::paint(painter, inside, index);
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (!option.features.testFlag(QStyleOptionViewItem::WrapText))
        return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * kRoom, 0);
    QStyleOptionViewItem inside = option;
    inside.rect.adjust(kRoom, 0, -kRoom, 0); // the lines break where paint() breaks them
    return QStyledItemDelegate::sizeHint(inside, index) + QSize(2 * kRoom, 2 * kRoom);
}

void setUpTable(QTableView& view)
{
    view.setItemDelegate(new TableDelegate(&view));
    view.horizontalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView { background: palette(base); }"
                       "QHeaderView::section { background: palette(base); padding: 4px 7px; border: none;"
                       " border-bottom: 1px solid palette(mid); }"));
    view.setShowGrid(false);
    view.setFrameShape(QFrame::NoFrame);
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setSelectionMode(QAbstractItemView::SingleSelection);
    view.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setWordWrap(false);
    view.verticalHeader()->hide();
    view.verticalHeader()->setDefaultSectionSize(24);
    view.horizontalHeader()->setHighlightSections(false);
    view.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view.horizontalHeader()->setMinimumSectionSize(40);
}

} // namespace quadric::widgets
