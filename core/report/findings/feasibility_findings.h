// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/merit/optimum.h"
#include "core/report/finding.h"

#include <optional>

namespace quadric::report {

/// Where the settings that fail begin, and how sure that is; empty where no run failed for a reason that
/// repeats.
std::optional<Finding> describeBoundary(const study::Study& study,
                                        double asked = optimize::kUsualRunsProbability);

/// The probability of giving a result at settings, in a sentence; empty where nothing is known against them.
std::string describeRunProbability(const study::Study& study, const study::Settings& settings);

/// What failures mean for recommended settings: which were left out, and that a confirmation that failed has
/// moved the answer.
std::vector<std::string> describeAvoidance(const study::Study& study, const study::Settings& recommended,
                                           double asked = optimize::kUsualRunsProbability);

} // namespace quadric::report
