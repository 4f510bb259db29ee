// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Cross-validation in folds that are drawn anew several times: how much the figures depend on the draw.
/// Runs with the same settings in the same block always share a fold (crossValidate()).
struct RepeatedValidation {
    int folds = 0, repeats = 0;              ///< repeats: divisions into folds that gave figures
    double error = 0.0;                      ///< mean of √(mean squared error), response's own unit
    double errorSd = 0.0;                    ///< its standard deviation over the repeats
    std::optional<double> r2, r2Low, r2High; ///< mean, smallest and largest R² over the repeats
    std::string message;                     ///< why there are no figures
    bool isOk() const { return repeats > 0; }
};

/// Seeds 1 to `repeats`; divisions in which a fold alone decides a coefficient are left out.
RepeatedValidation repeatValidation(const Fit& fit, int folds, int repeats = 20);

} // namespace quadric::model
