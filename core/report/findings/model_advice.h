// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/select/recommendation.h"

namespace quadric::report {

/// What other models the runs recommend, with the error for settings left out before and after; empty where
/// they recommend none. Entry i of `scales` belongs to fit i.
std::string describeAdvice(const std::vector<model::Fit>& fits,
                           const std::vector<model::Recommendation>& scales);

} // namespace quadric::report
