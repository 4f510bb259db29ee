// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/space/feasible_grid.h"
#include "widgets/plots/base/grid_outlines.h"
#include "widgets/plots/panel/panel.h"

namespace quadric::widgets {

/// Adds what is not feasible of a map with these axes to its panel, smooth between the nodes, and to the
/// legend; nothing where all is.
void addInfeasible(PanelBoard& board, Panel& panel, const GridAxes& axes, const study::FeasibleGrid& grid);

/// What its hatch means.
LegendEntry infeasibleEntry();

} // namespace quadric::widgets
