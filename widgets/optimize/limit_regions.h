// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/limit_map.h"
#include "widgets/plots/panel/panel.h"

namespace quadric::widgets {

/// The limits of a map over the axes of the panel: the sweet spot as what the forbidden regions leave over,
/// cells where a constraint of the study does not hold, and every limit as a line with its name, allowed at
/// the left of the way along it. Predictions are taken to be linear between the nodes.
void addLimits(Panel& panel, const optimize::LimitMap& map);

/// Outlines where a grid over the axes of the panel is 1 instead of 0; nothing for an empty one.
void addPlaces(Panel& panel, const Eigen::MatrixXd& places);

} // namespace quadric::widgets
