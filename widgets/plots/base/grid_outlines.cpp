// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/grid_outlines.h"

namespace quadric::widgets {

QPolygonF GridAxes::polygonOf(const std::vector<Eigen::Vector2d>& indices) const
{
    QPolygonF polygon;
    for (const Eigen::Vector2d& index : indices)
        polygon << QPointF(x.actualAt(index.x() / static_cast<double>(rows - 1)),
                           y.actualAt(index.y() / static_cast<double>(columns - 1)));
    return polygon;
}

std::vector<QPolygonF>
GridAxes::cellsWhere(const std::function<bool(Eigen::Index i, Eigen::Index j)>& isMeant) const
{
    std::vector<QPolygonF> found;
    for (Eigen::Index j = 0; j + 1 < columns; ++j)
        for (Eigen::Index i = 0; i + 1 < rows; ++i) {
            const auto first = static_cast<double>(i), low = static_cast<double>(j);
            while (i + 1 < rows && isMeant(i, j))
                ++i;
            if (const auto last = static_cast<double>(i); last > first)
                found.push_back(
                    polygonOf({{first, low}, {last, low}, {last, low + 1.0}, {first, low + 1.0}}));
        }
    return found;
}

} // namespace quadric::widgets
