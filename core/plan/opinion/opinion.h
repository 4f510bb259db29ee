// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <stop_token>
#include <string>
#include <vector>

namespace quadric::plan {

/// Errors of one kind of model at runs whose setting it has not seen, in the response's own unit.
struct RivalScore {
    std::string model; ///< "polynomial", "random forest"
    double mae = 0.0, rmse = 0.0;
    double r2 = 0.0;          ///< 1 − Σ error²/Σ (y − mean)²
    std::string message = {}; ///< why there is nothing: it cannot be trained without some settings
    bool isOk() const { return message.empty(); }
};

/// How several kinds of models predict settings left out, beside one another; a comparison, never advice.
struct Opinion {
    std::string response = {}, unit = {};
    int runs = 0, settings = 0;
    int parts = 0;                       ///< that the settings are divided into: each is left out in turn
    std::vector<RivalScore> scores = {}; ///< the study's own polynomial first
    std::string message = {};            ///< why there is nothing
    bool isOk() const { return message.empty(); }
};

/// Trains polynomial, Gaussian process, lasso, random forest and perceptron on the same parts of the runs, at
/// most 20, all runs of a setting in one. Transform and coding are those of the fit; the polynomial chooses
/// its terms anew each time where the study lets it choose.
Opinion secondOpinion(const study::Study& study, const model::Fit& fit, const std::stop_token& stop = {});

} // namespace quadric::plan
