// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/facet_grid.h"

#include <algorithm>

namespace quadric::widgets {

std::vector<QRectF> gridCells(const QRectF& area, std::size_t count)
{
    std::size_t columns = 1;
    double most = 0.0;
    for (std::size_t tried = 1; tried <= count; ++tried) {
        const std::size_t rows = (count + tried - 1) / tried;
        const double room =
            std::min(area.width() / static_cast<double>(tried), area.height() / static_cast<double>(rows));
        if (room > most) {
            most = room;
            columns = tried;
        }
    }
    const std::size_t rows = (count + columns - 1) / columns;
    const QSizeF size(area.width() / static_cast<double>(columns), area.height() / static_cast<double>(rows));
    std::vector<QRectF> cells;
    for (std::size_t i = 0; i < count; ++i)
        cells.emplace_back(area.topLeft() + QPointF(static_cast<double>(i % columns) * size.width(),
                                                    static_cast<double>(i / columns) * size.height()),
                           size);
    return cells;
}

} // namespace quadric::widgets
