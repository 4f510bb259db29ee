// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// Coded values of every level of the factor in a full factorial: all categories, all listed levels of a
/// discrete factor, low and high of any other; with `count` above 0 so many levels, evenly spaced on the
/// factor's scale (discrete factors: from their list). Throws DesignError when there are fewer.
std::vector<double> factorialLevels(const study::Factor& factor, int count);

} // namespace quadric::design
