// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/next/best_so_far.h"
#include "core/optimize/next/run_plan.h"
#include "core/report/table.h"

namespace quadric::report {

/// Runs that are worth their time, in the order in which they are proposed.
Table makePlanTable(const study::Study& study, const optimize::RunPlan& plan);

/// What a run was added for, as it was expected before it was executed.
struct RunReason {
    int run = 0;
    bool isConfirming = false;
    double gain = 0.0;
    double runsProbability = 1.0;
    bool isRepeat = false;
};

/// What was tried, latest first: each run with its reason and what came of it.
Table makeTriedTable(const study::Study& study, const std::vector<RunReason>& reasons,
                     const optimize::BestSoFar& best);

} // namespace quadric::report
