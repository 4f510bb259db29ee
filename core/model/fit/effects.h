// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// p values adjusted for their number by Holm (1979): below α for any true null effect in at most α of all
/// studies. Empty ones stay empty and do not count.
std::vector<std::optional<double>> adjustByHolm(const std::vector<std::optional<double>>& p);

/// Holm's p of each effect of the fit.
std::vector<std::optional<double>> adjustEffects(const Fit& fit);

/// Holm's p of each coefficient of a term; empty for the intercept, for blocks, and for the last level of a
/// category, which the others determine.
std::vector<std::optional<double>> adjustCoefficients(const Fit& fit);

/// How an effect compares with chance at the confidence of the fit.
enum class Significance {
    None,  ///< no more than chance
    Alone, ///< if it were the only effect that is looked at
    Family ///< among all effects of the model: Holm's p, or beyond Lenth's simultaneous margin of error
};

/// An effect as the Pareto chart, the half-normal plot and the sentences order and judge it.
struct RankedEffect {
    std::size_t index = 0; ///< in Fit::effects
    /// What is held against Fit::effectLimit: |t|; without residual degrees of freedom the effect of the
    /// orthogonalized term; |effect| where there is no limit.
    double size = 0.0;
    Significance significance = Significance::None;
};

/// The largest first; effects of equal size in the order of the terms.
std::vector<RankedEffect> rankEffects(const Fit& fit);

} // namespace quadric::model
