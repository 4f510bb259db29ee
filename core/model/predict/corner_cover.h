// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// The corners of the region of the numeric factors, categories at their average. Empty with more than twelve
/// numeric factors.
std::vector<study::CodedPoint> cornersOf(const std::vector<study::Factor>& factors);

/// How many corners of the region the runs do not cover. A model that terms were left out of does not see
/// what the runs lack, so that a corner also counts by its leverage in the highest order that the runs can
/// estimate with an error left over.
struct CornerCover {
    int outside = 0, corners = 0; ///< none without residual degrees of freedom, or with too many factors
    std::string model;            ///< that order: "quadratic"
};
CornerCover findUncoveredCorners(const Fit& fit);

} // namespace quadric::model
