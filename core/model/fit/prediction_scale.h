// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// A value on the transformed scale in the response's own unit. Where the inverse transform has a pole or
/// explodes it is held at 1000 times the largest value seen, so that it is always finite.
double toResponseUnit(const Fit& fit, double z);

/// That limit; of a logit its upper bound.
double largestPrediction(const Fit& fit);

/// Leverage above which a prediction is an extrapolation: the largest of the runs or 3p/n, with slack for
/// rounding.
double leverageLimit(const Fit& fit);

/// Leverage above that limit, or a level of a categorical factor without a run.
bool isExtrapolation(const Fit& fit, const study::CodedPoint& point, double leverage);

} // namespace quadric::model
