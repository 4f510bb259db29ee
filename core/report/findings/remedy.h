// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"

namespace quadric::report {

/// What the program can do about a finding.
enum class Remedy {
    None,
    UseRecommendedModels, ///< of all responses together
    UseRecommendedModel,  ///< of the response
    ShowRuns,             ///< those of the finding
    AddRuns,              ///< to the design
};

Remedy findRemedy(const Finding& finding);

} // namespace quadric::report
