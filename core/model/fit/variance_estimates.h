// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/regression.h"

namespace quadric::model {

/// Variance of each value inside its run on the model's scale: (dz/dy)² s² at the value itself (delta
/// method). Empty where a run has no spread.
std::optional<Eigen::VectorXd> variancesInside(const Observations& data, const study::Transform& transform);

/// Weights 1/(sᵢ² + τ²) of the runs, their geometric mean 1 so that likelihoods compare with those of equal
/// weights. Returns why there are none, and leaves the runs unweighted then.
std::string weighBySpread(const Fit& fit, const std::vector<Term>& terms, Observations& data,
                          std::optional<Weighting>& weighting);

/// Variance between blocks taken as drawn at random, by REML (Patterson & Thompson 1971) with the terms as
/// fixed effects; the likelihood has one parameter left, the ratio σ_b²/σ². Empty with a single block,
/// without residual degrees of freedom, and where the runs fit exactly.
std::optional<BlockVariance> estimateBlockVariance(const Observations& data, const Regression& regression);

/// Columns of `terms` that are not aliased without the blocks: what they do is part of the differences
/// between blocks.
std::vector<std::string> findTermsBetweenBlocks(const Observations& data, const Regression& regression,
                                                const std::vector<Term>& terms, double rankTolerance);

/// Variance σ_b²(1 + 1/b) + σ²(1/m + h): the new block, the average of the b blocks that the model predicts,
/// the m runs, and the model, with Satterthwaite's (1946) degrees of freedom. `share`: Σ (mⱼ/m)² where the
/// runs are in more than one new block. Empty where the variance between blocks is not known.
std::optional<NewRunError> computeNewBlockError(const Fit& fit, double leverage, int runs,
                                                double share = 1.0);

/// Of runs that are still to be made: in a new block where the study has blocks.
NewRunError computeNewRunError(const Fit& fit, double leverage, int runs, double share = 1.0);

} // namespace quadric::model
