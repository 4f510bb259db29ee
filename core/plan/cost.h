// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/deadline.h"
#include "core/plan/plan_choices.h"

#include <utility>
#include <vector>

namespace quadric::plan {

/// How far two responses of one run may be beside their predictions, in standard errors of a new run: pairs
/// of t values, all equally likely. Their ranks are correlated as normal values are (normal copula).
/// `correlation`: of those normal values.
using JointErrors = std::vector<std::pair<double, double>>;
JointErrors jointErrors(double firstDf, double secondDf, double correlation);

/// What is paid; any currency.
struct Prices {
    double gpuHour = 0.0, kilowattHour = 0.0;
};

/// Who works, and what that needs besides time.
struct Resources {
    int gpus = 1;
    double wattsPerGpu = 0.0;            ///< where energy is not measured
    const RunTime* joules = nullptr;     ///< energy of all GPUs, in place of seconds, where it is measured
    const JointErrors* errors = nullptr; ///< of time and that energy, with their degrees of freedom
};

/// Medians with 95 % intervals.
struct RunCost {
    Estimate money, kilowattHours, seconds;
};

/// Of one new run: hours × GPUs × price + energy × price. Without a distribution of its own energy is watts ×
/// time, so that all three have the interval of the time; otherwise money has that of the joint errors. A
/// time that may be infinite gives no finite end.
RunCost costOf(const RunTime& time, const Resources& resources, const Prices& prices);

/// The cost of a run at one setting of the factor that the plan goes along.
struct CostPoint {
    double setting = 0.0;
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

} // namespace quadric::plan
