// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/select/recommendation.h"
#include "core/optimize/confirmation.h"
#include "core/optimize/merit/optimum.h"

namespace quadric::report {

/// What to do next, the most urgent first: runs that are left, what the findings of the worst severity advise
/// (each advice once, at most `most` of them), a confirmation that is missing or refuted. Never empty.
/// `scales`: what is recommended for all fits together (model::recommendTogether()), in their order.
std::vector<std::string> findNextSteps(const study::Study& study, const std::vector<model::Fit>& fits,
                                       const std::vector<model::Recommendation>& scales,
                                       const optimize::Optimum& best,
                                       const std::vector<optimize::Confirmation>& confirmations,
                                       std::size_t most = 3);

} // namespace quadric::report
