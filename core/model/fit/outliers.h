// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <optional>
#include <vector>

namespace quadric::model {

/// What tells an outlier from chance: each run against a model of all others (externally studentized
/// residual), t with one degree of freedom less than the error has.
struct OutlierTest {
    /// Limits of an internally studentized residual at 5 %, of one run and of all n together (Bonferroni):
    /// r = t √(ν/(ν − 1 + t²)), which the externally studentized one reaches t at (Cook & Weisberg 1982,
    /// 2.2.1).
    double ofOneRun = 0.0, ofAllRuns = 0.0;
    std::vector<int> outliers; ///< runs beyond the limit of all
};

/// Empty with less than 2 residual degrees of freedom, and where no run can be left out.
std::optional<OutlierTest> testOutliers(const Fit& fit);

} // namespace quadric::model
