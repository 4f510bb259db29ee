// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/running_map.h"
#include "widgets/plots/base/grid_outlines.h"
#include "widgets/plots/panel/panel.h"

namespace quadric::widgets {

/// Adds what is not feasible of a map with these axes to its panel, smooth between the nodes, and to the
/// legend; nothing where all is.
void addInfeasible(PanelBoard& board, Panel& panel, const GridAxes& axes, const study::FeasibleGrid& grid);

/// What its hatch means.
LegendEntry infeasibleEntry();

/// Adds where runs fail more often than not, with the line of an even chance, and the runs that failed, each
/// with its entry in the legend.
void addFailing(PanelBoard& board, Panel& panel, const GridAxes& axes, const study::FeasibleGrid& running);
void addFailedRuns(PanelBoard& board, Panel& panel, const std::vector<model::FailedPoint>& failed);

/// What the hatch and the crosses mean.
LegendEntry failingEntry();
LegendEntry failedEntry();

/// "Runs with 34 %"; empty for no probability.
QString runsWithText(double probability);
/// "Run 7 failed: out of memory".
QString failedText(const model::FailedPoint& point);

} // namespace quadric::widgets
