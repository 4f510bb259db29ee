// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Variances of a single result by where they come from, on the model's scale. Empty where the study cannot
/// tell them: no spreads, a single block.
struct VarianceComponents {
    std::optional<double> insideRuns; ///< mean squared standard error of the results
    double betweenRuns = 0.0;         ///< that of a run less the one inside it; both where that is not known
    std::optional<double> betweenBlocks;
};

/// Empty without residual degrees of freedom. Between runs: τ² of the weights where the fit has them, else
/// what the residual variance leaves, or with a significant lack of fit the variance of replicates.
std::optional<VarianceComponents> varianceComponentsOf(const Fit& fit);

} // namespace quadric::model
