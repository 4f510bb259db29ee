// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/regression.h"

namespace quadric::model {

/// Variance between blocks taken as drawn at random, by REML (Patterson & Thompson 1971) with the terms as
/// fixed effects; the likelihood has one parameter left, the ratio σ_b²/σ². Empty with a single block,
/// without residual degrees of freedom, and where the runs fit exactly.
std::optional<BlockVariance> estimateBlockVariance(const Observations& data, const Regression& regression);

/// The same with all of the terms, those that are constant within each block included; `df` is set. Empty
/// where these terms leave no block to tell it by, too.
std::optional<BlockVariance> estimateRandomBlocks(Observations data,
                                                  const std::vector<study::Factor>& factors,
                                                  const std::vector<Term>& terms);

/// The factor has one value, or level, in all runs of a block, for every block.
bool isSameWithinBlocks(const Observations& data, std::size_t factor);

/// Whether a factor that was varied is the same in all runs of every block: with fixed blocks nothing would
/// be known of it.
bool hasFactorBetweenBlocks(const Observations& data, const std::vector<study::Factor>& factors);

/// Columns of `terms` that are not aliased without the blocks: what they do is part of the differences
/// between blocks.
std::vector<std::string> findTermsBetweenBlocks(const Observations& data, const Regression& regression,
                                                const std::vector<Term>& terms);

/// Variance σ_b²(1 + 1/b) + σ²(1/m + h): the new block, the average of the b blocks that the model predicts,
/// the m runs, and the model, with Satterthwaite's (1946) degrees of freedom; where the blocks are random in
/// the fit, σ_b² + σ²(1/m + h) with those that its terms leave of the blocks. `share`: Σ (mⱼ/m)² where the
/// runs are in more than one new block. Empty where the variance between blocks is not known.
std::optional<NewRunError> computeNewBlockError(const Fit& fit, double leverage, int runs,
                                                double share = 1.0);

/// Of runs that are still to be made: in a new block where the study has blocks.
NewRunError computeNewRunError(const Fit& fit, double leverage, int runs, double share = 1.0);

} // namespace quadric::model
