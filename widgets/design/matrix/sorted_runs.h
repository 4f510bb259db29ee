// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace quadric::widgets {

/// The runs sorted by one column, with an arrow in its heading: the one that the header draws takes room in
/// every column.
class SortedRuns : public QSortFilterProxyModel {
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// Upwards; downwards if it is sorted so already.
    void sortBy(int column);
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace quadric::widgets
