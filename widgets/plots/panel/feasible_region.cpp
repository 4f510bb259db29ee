// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/feasible_region.h"

#include "widgets/plots/base/iso_lines.h"

#include <QCoreApplication>

namespace quadric::widgets {

void addInfeasible(PanelBoard& board, Panel& panel, const GridAxes& axes, const study::FeasibleGrid& grid)
{
    if (grid.isEmpty())
        return;
    PanelRegion region{.role = RegionRole::Barred};
    for (const std::vector<Eigen::Vector2d>& outline : isoRegion(-grid.value, -grid.level))
        region.outlines.push_back(axes.polygonOf(outline));
    panel.regions.push_back(std::move(region));
    board.legend.push_back(infeasibleEntry());
}

LegendEntry infeasibleEntry()
{
    return {.sample = LegendEntry::Sample::Region,
            .text = QCoreApplication::translate("Plots", "infeasible"),
            .region = RegionRole::Barred};
}

} // namespace quadric::widgets
