// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Profile likelihood of the Box–Cox power (Box & Cox 1964; interval for few degrees of freedom:
/// Montgomery 15.1): L(λ) = −n/2 ln(SSE(λ)/n) of the response (y^λ − 1)/(λ g^(λ−1)), g the geometric mean,
/// with the terms and blocks of a fit; λ from −5 to 5.
struct BoxCox {
    double lambda = 1.0;             ///< most likely power
    std::optional<double> low, high; ///< ends of the 95 % interval; empty where it reaches beyond −5 … 5
    std::vector<double> powers, logLikelihood; ///< the profile for a plot
};

/// Of the terms and blocks of the fit, whatever its own transform. Empty when the response has values of 0 or
/// below, is constant, or spans too many decades to be raised to the powers, and when the model leaves no
/// residual to judge.
std::optional<BoxCox> boxCox(const Fit& fit);

/// The profile as it is drawn: exact at every power, dense where it is highest.
struct BoxCoxCurve {
    std::vector<double> powers, logLikelihood;
};

/// From `low` to `high` in even steps, and in finer ones over four times the 95 % interval; the likeliest
/// power and the ends of its interval are among them. Empty where boxCox() is.
BoxCoxCurve boxCoxCurve(const Fit& fit, const BoxCox& profile, double low, double high);

/// The power that a transform raises the response to; 0 of the logarithm.
double powerOf(const study::Transform& transform);

} // namespace quadric::model
