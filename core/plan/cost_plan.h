// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/cost.h"
#include "core/plan/plan_choices.h"

namespace quadric::plan {

/// The cost of a run at one setting of the factor that the plan goes along.
struct CostPoint {
    double setting = 0.0;
    int gpus = 1;
    RunCost cost = {};
};

/// What a run costs, as it is chosen.
struct CostPlan {
    bool isInGpuHours = false; ///< no price is known: costs are GPU hours
    bool isExtrapolation = false;
    int gpus = 1;
    RunCost here = {};                 ///< at the settings
    std::string factor = {};           ///< that `along` goes along; empty: none has numbers
    std::vector<CostPoint> along = {}; ///< the others as in the settings
};

/// Along the number of GPUs, or where no factor is one along the first numeric factor. Energy is that of the
/// chosen response, else watts × time. Takes less than a frame.
CostPlan planCost(const study::Study& study, const std::vector<model::Fit>& fits, const model::Fit& fit,
                  const study::Settings& settings, const PlanChoices& choices);

/// The number of GPUs at these settings; 1 where no factor is one.
int gpusAt(const study::Study& study, const PlanChoices& choices, const study::Settings& settings);

/// Settings with the best of the chosen response that are no more than the chosen share slower than the
/// fastest (findLimitedBest()). Empty where none is chosen or its response has no model.
std::optional<LimitedBest> findLeast(const study::Study& study, const std::vector<model::Fit>& fits,
                                     const model::Fit& fit, const PlanChoices& choices,
                                     std::stop_token stop = {});

} // namespace quadric::plan
