// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"

#include <Eigen/Core>
#include <QPolygonF>

#include <functional>
#include <vector>

namespace quadric::widgets {

/// The axes of a map whose nodes lie evenly on them: `rows` along x, `columns` along y.
struct GridAxes {
    AxisScale x, y;
    Eigen::Index rows = 0, columns = 0;

    /// Indices of the grid, as isoLines() gives them, in the units of the axes.
    QPolygonF polygonOf(const std::vector<Eigen::Vector2d>& indices) const;

    /// The cells that are meant, named by their first node; neighbors along x are one rectangle.
    std::vector<QPolygonF>
    cellsWhere(const std::function<bool(Eigen::Index i, Eigen::Index j)>& isMeant) const;
};

} // namespace quadric::widgets
