// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"
#include "core/plan/deadline.h"
#include "core/plan/joint_errors.h"

namespace quadric::plan {

/// What is paid; any currency.
struct Prices {
    double gpuHour = 0.0;
    double kilowattHour = 0.0;
    double fixed = 0.0; ///< for each run
};

/// Who works, and what that needs besides time.
struct Resources {
    int gpus = 1;
    double wattsPerGpu = 0.0;            ///< where energy is not measured
    const RunTime* joules = nullptr;     ///< energy of all GPUs, in place of seconds, where it is measured
    const JointErrors* errors = nullptr; ///< of time and that energy, with their degrees of freedom
};

/// Medians with intervals.
struct RunCost {
    Estimate money, kilowattHours, seconds;
};

/// Of one new run: fixed + hours × GPUs × price + energy × price. Without a distribution of its own energy is
/// watts × time, so that all three have the interval of the time; otherwise money has that of the joint
/// errors. A time that may be infinite gives no finite end.
RunCost costOf(const RunTime& time, const Resources& resources, const Prices& prices,
               double confidence = 0.95);

/// The settings with the best of one response among those where another is worse than its own best by at most
/// this share: "at most 5 % slower, least energy". Both have a goal in the study. `limit` is the value that
/// the limited response keeps.
struct LimitedBest {
    double limit = 0.0;
    optimize::Optimum best, optimum;
};
LimitedBest findLimitedBest(study::Study study, const std::vector<model::Fit>& fits,
                            const std::string& limited, double share, const std::string& wanted,
                            const optimize::OptimizeOptions& options = {});

} // namespace quadric::plan
