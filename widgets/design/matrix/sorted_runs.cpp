// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/matrix/sorted_runs.h"

namespace quadric::widgets {

void SortedRuns::sortBy(int column)
{
    const bool isTurned = column == sortColumn() && sortOrder() == Qt::AscendingOrder;
    sort(column, isTurned ? Qt::DescendingOrder : Qt::AscendingOrder);
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

QVariant SortedRuns::headerData(int section, Qt::Orientation orientation, int role) const
{
    QVariant value = QSortFilterProxyModel::headerData(section, orientation, role);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section != sortColumn())
        return value;
    return (sortOrder() == Qt::AscendingOrder ? QStringLiteral("▴ ") : QStringLiteral("▾ ")) +
           value.toString();
}

} // namespace quadric::widgets
