// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/design/generate/fraction.h"

namespace quadric::design {

/// How a two-level factorial or fraction is divided into 2^q blocks: by the signs of q effects. These and all
/// their products cannot be told from blocks.
struct Blocking {
    std::vector<Word> generators; ///< q of them
    std::vector<Word>
        confounded; ///< 2^q − 1: the shortest effect of every confounded alias chain, shortest first
};

/// The division into `blocks` (a power of 2) that confounds no main effect, the fewest two-factor
/// interactions, among those the fewest three-factor interactions and so on, by a beam search over the
/// generators (every choice of two for up to seven factors). Throws DesignError when `blocks` is no power of
/// 2 or a main effect would be lost.
Blocking leastConfounding(const Fraction& fraction, int blocks);

/// Number of two-factor interactions that the blocks hide.
int confoundedInteractions(const Fraction& fraction, const Blocking& blocking);

/// Block 1 … 2^q of every row of signs.
std::vector<int> blocksOf(const Blocking& blocking, const Eigen::MatrixXd& signs);

/// Coded values of every level of the factor in a full factorial: all categories, all listed levels of a
/// discrete factor, low and high of any other; with `count` above 0 so many levels, evenly spaced on the
/// factor's scale (discrete factors: from their list). Throws DesignError when there are fewer.
std::vector<double> factorialLevels(const study::Factor& factor, int count);

} // namespace quadric::design
