// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/next/run_plan.h"

#include <string>

namespace quadric::report {

/// Why no further run is taken after a plan: "No further run is expected to gain more than 0.4 %." For a plan
/// that nobody has made any more the time is spent.
std::string describePlanEnd(const optimize::RunPlan& plan, double leastGain);

/// That so many added runs failed one after the other.
std::string describeFailedRow(int runs);

/// How many runs there are and how long they take together.
std::string describePlanTime(const optimize::RunPlan& plan);

} // namespace quadric::report
