// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Every run predicted by a model that was fitted without the run's fold. Runs with the same settings in the
/// same block are always in one fold, so that no copy of a run helps to predict it.
struct CrossValidation {
    int folds = 0;
    std::uint64_t seed = 0;
    std::vector<int> runs;         ///< ids, as in Fit::diagnostics
    std::vector<int> foldOf;       ///< per run, from 0
    std::vector<double> predicted; ///< per run, response's own unit
    std::optional<double> error;   ///< √(mean squared error), response's own unit
    std::optional<double> s;       ///< the same on the model's (transformed) scale
    std::optional<double> r2;      ///< 1 − Σ error²/SST on the model's scale
    std::string message;           ///< why there are no figures
};

/// `folds` ≤ 0: one fold per setting (leave one setting out). The terms of the fit are kept, only their
/// coefficients are estimated anew, by the exact update e₍F₎ = (I − H_FF)⁻¹ e_F. Where a fold alone decides a
/// coefficient there is a message instead of figures.
CrossValidation crossValidate(const Fit& fit, int folds, std::uint64_t seed = 1);

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
