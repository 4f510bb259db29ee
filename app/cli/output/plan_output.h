// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"
#include "core/optimize/next/run_plan.h"

namespace quadric::app {

/// What was asked for with `--spend`, and the answer.
struct SpendPlan {
    study::Study study;
    optimize::RunPlan plan;
    bool isForFront = false;   ///< gains are growth of the Pareto front
    bool hasDurations = false; ///< runs have told how long they take
};

/// A round of `--go`: the plan, the runs that it became, and all seconds spent until their end.
struct SpendRound {
    SpendPlan asked; ///< its study as it is after the runs
    std::vector<int> runs;
    double spent = 0.0;
};

/// When to stop: "No further run is expected to gain more than 0.4 %."
std::string stopSentence(const SpendPlan& asked);

Json spendJson(const SpendPlan& asked, const std::vector<int>& added);
void printSpend(const SpendPlan& asked, const std::vector<int>& added);

Json spendRoundsJson(const std::vector<SpendRound>& rounds);
void printSpendRound(const SpendRound& round);

} // namespace quadric::app
