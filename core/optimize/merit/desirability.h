// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

namespace quadric::optimize {

/// A response's desirability with every default filled in (Derringer & Suich 1980).
struct Desirability {
    std::string response;
    study::Goal goal = study::Goal::Maximize;
    double low = 0.0, target = 0.0, high = 1.0; ///< response's own unit
    double shapeBelow = 1.0, shapeAbove = 1.0;
    double weight = 1.0;
    bool lowIsDefault = false, highIsDefault = false; ///< not set by the response
};

/// It counts in the compromise: there is a goal and a weight above 0.
bool takesPart(const Desirability& desirability);
bool takesPart(const study::Response& response);

/// Limits that the response does not set come from the fit's observed range; the end that is wished for from
/// the model's own best (model::Fit::ownBest) where that is known and lies farther.
Desirability desirabilityOf(const study::Response& response, const model::Fit& fit);

/// d(y) in [0, 1]. Goal::None gives 1.
double valueOf(const Desirability& desirability, double y);

/// (Π dᵢ^wᵢ)^(1/Σwᵢ); 0 as soon as one dᵢ with positive weight is 0; 1 without any weight.
double overall(const std::vector<Desirability>& desirabilities, const std::vector<double>& predicted);

} // namespace quadric::optimize
