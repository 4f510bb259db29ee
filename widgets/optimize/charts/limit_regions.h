// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/limit_map.h"
#include "widgets/plots/panel/panel.h"

namespace quadric::widgets {

/// The limits of a map over the axes of the panel: what each of them forbids is shaded, and every limit is a
/// line with its name, allowed at the left of the way along it. Predictions are taken to be linear between
/// the nodes.
void addLimits(Panel& panel, const optimize::LimitMap& map);

/// The line of each response of the map at its value; without a value none.
void addContoursAt(Panel& panel, const optimize::LimitMap& map,
                   const std::vector<std::optional<double>>& values);

/// Where a grid over the axes of the panel is negative: a prediction is an extrapolation there; and its entry
/// in the legend. Nothing for an empty grid, and where only infeasible settings are concerned.
void addUnsupported(PanelBoard& board, Panel& panel, const optimize::LimitMap& map,
                    const Eigen::MatrixXd& support);

/// What failed runs say of the map, and its entries in the legend.
void addFailures(PanelBoard& board, Panel& panel, const optimize::LimitMap& map);

/// What the study's constraints forbid, and its entry in the legend.
void addConstraints(PanelBoard& board, Panel& panel, const optimize::LimitMap& map);

/// Outlines where a grid over the axes of the panel is 1 instead of 0, and their entry in the legend; nothing
/// for an empty one.
void addPlaces(PanelBoard& board, Panel& panel, const Eigen::MatrixXd& places);

} // namespace quadric::widgets
