// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

#include <functional>
#include <map>

namespace quadric::optimize {

/// What the variation of settings does to one response.
struct TransmittedError {
    std::string response;
    /// Standard deviation that the settings' variation brings into the response, own unit.
    double sd = 0.0;
    /// Shift of the response's mean by curvature, own unit.
    double shift = 0.0;
    /// Standard deviation of single runs: transmitted and residual. Empty without residual degrees of
    /// freedom.
    std::optional<double> total;
    /// Standard deviation through each factor alone (main part, without mixed terms).
    std::vector<std::pair<std::string, double>> factors;
};

/// Propagation of error from settings that vary independently and normally around their nominal values with
/// the given standard deviations (actual units, numeric factors): second-order expansion of the model,
/// variance Σ gᵢ²sᵢ² + ½ ΣΣ hᵢⱼ² sᵢ²sⱼ², shift ½ Σ hᵢᵢ sᵢ² with gradient g and Hessian h by actual settings.
/// Exact for a quadratic in the actual settings. One entry for each fit that is Ok. Throws
/// std::invalid_argument for settings that cannot be coded, for a name that is no numeric factor, and for a
/// standard deviation that is negative or not finite.
std::vector<TransmittedError> propagateError(const study::Study& study, const std::vector<model::Fit>& fits,
                                             const study::Settings& settings,
                                             const std::map<std::string, double, std::less<>>& sds);

} // namespace quadric::optimize
