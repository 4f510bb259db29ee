// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/answer/optimism.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/next/run_plan.h"
#include "core/report/finding.h"
#include "core/text/numbers.h"

#include <optional>
#include <string>
#include <vector>

namespace quadric::report {

/// Where the settings that fail begin, and how sure that is; empty where no run failed for a reason that
/// repeats.
std::optional<Finding> describeBoundary(const study::Study& study);

/// The probability of giving a result at settings, in a sentence; empty where nothing is known against them.
std::string describeRunProbability(const study::Study& study, const study::Settings& settings);

/// What failures mean for recommended settings: which were left out, and that a confirmation that failed has
/// moved the answer.
std::vector<std::string> describeAvoidance(const study::Study& study, const study::Settings& recommended,
                                           double asked = optimize::kUsualRunsProbability);

/// "throughput: 27 000 img/s, and 26 200 after correction for selecting the best setting.", for every
/// response with a goal whose prediction at the optimum the correction makes worse by more than a quarter of
/// half its interval for a new run. Empty without a correction.
std::vector<std::string> describeCorrection(const study::Study& study, const optimize::Optimum& optimum,
                                            const optimize::OptimumCorrection& correction,
                                            text::Typography typography = text::Typography::Plain);

/// Why no further run is taken after a plan: "Stop here: no further run is expected to gain more than 0.4 %."
/// Where no time was left to make a plan the time is spent.
std::string describePlanEnd(const optimize::RunPlan& plan, double leastGain);

/// That so many added runs failed one after the other.
std::string describeFailedRow(int runs);

/// How many runs there are and how long they take together.
std::string describePlanTime(const optimize::RunPlan& plan);

} // namespace quadric::report
