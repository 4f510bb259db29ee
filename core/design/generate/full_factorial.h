// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// Coded values of every level of the factor in a full factorial: all categories, all listed levels of a
/// discrete factor, low and high of any other; with `count` above 0 so many levels, evenly spaced on the
/// factor's scale (discrete factors: from their list). Throws DesignError when there are fewer.
std::vector<double> factorialLevels(const study::Factor& factor, int count);

/// Every combination of the levels, the first factor changing fastest. Blocks: two-level factorials are
/// divided by their longest interactions, factorials of three levels into 3 blocks by a component of theirs,
/// mixed ones by their two-level factors. A Generator of core/design/base/design_type.h.
std::vector<DesignPoint> fullFactorialOf(const study::Study& study, const std::stop_token& stop,
                                         const Progress& progress);

} // namespace quadric::design
