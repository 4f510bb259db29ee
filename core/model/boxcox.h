// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"

namespace quadric::model {

/// Profile likelihood of the Box–Cox power (Box & Cox 1964): L(λ) = −n/2 ln(SSE(λ)/n) of the response
/// (y^λ − 1)/(λ g^(λ−1)), g the geometric mean, with the terms and blocks of a fit; λ from −5 to 5.
struct BoxCox {
    double lambda = 1.0;             ///< most likely power
    std::optional<double> low, high; ///< ends of the 95 % interval; empty where it reaches beyond −5 … 5
    study::Transform recommended; ///< none when 1 is in the interval, else the likeliest simple power in it
    std::vector<double> powers, logLikelihood; ///< the profile for a plot
};

/// Empty when the response has values of 0 or below, is constant, or the model leaves no residual to judge.
std::optional<BoxCox> boxCox(const study::Study& study, const Fit& fit);

} // namespace quadric::model
