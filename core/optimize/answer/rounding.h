// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

namespace quadric::optimize {

/// Overall desirability that rounding may cost, as a share of it.
inline constexpr double kRoundingCost = 0.005;

/// The settings with the fewest significant digits in each numeric factor that is not held, legal, for at
/// most kRoundingCost of the overall desirability in all; each factor may use its part of that. Empty where
/// no factor can do with fewer digits.
std::optional<Solution> findRounded(const study::Study& study, const std::vector<model::Fit>& fits,
                                    const Optimum& optimum, const study::Settings& held);

/// Settings with so many significant digits of each continuous factor, where that is legal and within its
/// range; `held` ones stay as they are.
study::Settings withFewDigits(const study::Study& study, study::Settings settings, int digits,
                              const study::Settings& held = {});

/// The solutions with the rounded setting behind the first of them.
std::vector<Solution> withRounded(const Optimum& optimum);

} // namespace quadric::optimize
