// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Whether the residuals scatter more where the fitted values are large, or small.
struct SpreadCheck {
    double slope = 0.0; ///< mean of ŷ weighted by e², above what equal variances expect; model's scale
    double p = 1.0;     ///< two-sided
};

/// The score test of Breusch & Pagan 1979 and Cook & Weisberg 1983 on the fitted values, studentized (Koenker
/// 1981): with the variances log-linear in ŷ the score is the slope above. Fitted values and residuals are
/// independent under equal variances, so that the probability is that of a ratio of quadratic forms with ŷ
/// given (residual_ratio.h), right for few runs and unequal leverages. Empty for fits without two residual
/// degrees of freedom or without fitted values that differ.
std::optional<SpreadCheck> checkSpread(const Fit& fit);

} // namespace quadric::model
