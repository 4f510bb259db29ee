// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/sheet_model.h"

namespace quadric::widgets {

namespace {

int alignmentOf(const SheetColumn& column)
{
    return int((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

SheetModel::SheetModel(std::vector<SheetColumn> columns, QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
{
}

int SheetModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant SheetModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const SheetColumn& column = m_columns[size_t(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(column);
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty())
        return column.tooltip;
    return {};
}

QVariant SheetModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SheetColumn& column = m_columns[size_t(index.column())];
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        return cellText(index.row(), index.column());
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(column);
    if (role == Qt::ToolTipRole && !column.tooltip.isEmpty())
        return column.tooltip;
    return {};
}

Qt::ItemFlags SheetModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    flags.setFlag(Qt::ItemIsEditable, canType(index.row(), index.column()));
    return flags;
}

bool SheetModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || !canType(index.row(), index.column()))
        return false;
    const Typed typed = type(index.row(), index.column(), value.toString());
    if (typed == Typed::Changed) {
        tellChanged(index.row(), index.row());
        emit edited();
    }
    return typed != Typed::Refused;
}

void SheetModel::tellChanged(int firstRow, int lastRow)
{
    if (firstRow <= lastRow)
        emit dataChanged(index(firstRow, 0), index(lastRow, columnCount() - 1));
}

} // namespace quadric::widgets
