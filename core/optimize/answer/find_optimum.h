// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

namespace quadric::optimize {

/// The options with factors of effects that the runs cannot tell apart from others held as in the best run:
/// nothing is recommended along them.
OptimizeOptions holdAliased(const study::Study& study, const Goals& goals, OptimizeOptions options);

/// Fills model::Fit::ownBest of the responses to be maximized or minimized, over all legal settings, from
/// which default limits are made. Left empty where there is no usable model or no legal setting, or where
/// more responses have a goal than can be weighed (kMostGoals).
void findOwnBests(const study::Study& study, std::vector<model::Fit>& fits);

/// model::fitStudy() and findOwnBests(): the fits from which settings are recommended. `study` as it is
/// analyzed (model::withChosenModels()).
std::vector<model::Fit> fitForGoals(const study::Study& study, double confidence = 0.95);

} // namespace quadric::optimize
