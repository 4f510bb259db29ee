// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

namespace quadric::optimize {

/// Overall desirability of every setting of a front by the study's goals, limits and weights, none of which
/// the front itself depends on. Empty where no response takes part in the compromise.
std::vector<double> frontDesirability(const study::Study& study, const std::vector<model::Fit>& fits,
                                      const std::vector<FrontPoint>& front);

} // namespace quadric::optimize
