// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

#include <nlohmann/json.hpp>

namespace quadric::optimize {

struct Fitted {
    study::Study study;
    std::vector<model::Fit> fits;
};

/// tests/references/oracles/NAME.json
nlohmann::json reference(const std::string& name);

/// Study with the factors, runs and responses of a reference file; no goals yet.
study::Study studyOf(const nlohmann::json& reference);

/// The tire tread study of Derringer & Suich with the goals of one scenario of the reference, fitted.
Fitted tireTread(const nlohmann::json& reference, const nlohmann::json& scenario);

/// 15 runs of a Box-Behnken plan over GPUs (8…64, multiples of 8), images per GPU (32…256, integer) and
/// gradient compression (0…90 %, integer), with two smooth responses that pull apart; fitted.
Fitted scalingStudy();

/// A fit with given quadratic coefficients in the order of model::termsOf(Order::Quadratic), without data.
model::Fit polynomialFit(const study::Study& study, const std::string& response,
                         const std::vector<double>& coefficients, double smallest, double largest);

/// One response y over the square −1…1 of the factors a and b, to be maximized between 0 and 2, with these
/// coefficients.
Fitted overSquare(const std::vector<double>& coefficients);

/// Within constraints and ranges, on the grid of the factors.
void expectLegal(const study::Study& study, const study::Settings& settings);

/// Overall desirability by the study's predictions at a coded point.
double overallAt(const Fitted& fitted, const study::CodedPoint& point);

} // namespace quadric::optimize
