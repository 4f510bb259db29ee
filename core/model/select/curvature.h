// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Mean of the factorial (corner) runs against the mean of the center runs (M 6.8): one degree of freedom for
/// the sum of all pure quadratic effects, tested against the variation of the repeated runs.
struct CurvatureTest {
    int corners = 0, centers = 0;
    double difference = 0.0; ///< mean at the corners − mean at the center, model's (transformed) scale
    double ss = 0.0;
    std::optional<double> f, p; ///< empty without pure error
};

/// Empty unless the design is two-level with center runs: every run has all numeric factors at ±1 or all at
/// 0, and the model has no squares.
std::optional<CurvatureTest> curvatureTest(const Fit& fit);

} // namespace quadric::model
