// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/merit.h"
#include "core/optimize/search/relaxation.h"

#include <optional>

namespace quadric::optimize {

/// A weighted sum of responses (before their transforms are inverted) that lies nowhere below the merit, in
/// MeritMode::Product nowhere below its logarithm: constant + Σ slope z + sphere × (radius² − |x|²).
struct WeightedSum {
    double constant = 0.0;
    Eigen::VectorXd slope; ///< by response
    double sphere = 0.0;   ///< at least 0
};

/// What is known of the merit's surroundings at a setting.
struct Surroundings {
    Eigen::VectorXd z;      ///< responses before their transforms are inverted
    Eigen::MatrixXd slopes; ///< axes × responses
    Eigen::VectorXd x;      ///< coded, by axis
    Eigen::VectorXd low, high;
    std::vector<bool> isContinuous; ///< by axis; others do not move by small steps
    bool isOnSphere = false;
};

/// The sum that touches the merit at a setting and rises as little as possible from there: at a kink of
/// desirabilities (a target, a limit that is reached) the lines of its sides are mixed so that the conditions
/// of Karush, Kuhn and Tucker are met best. Empty where a piece of the merit has no tangent that lies above
/// it everywhere.
std::optional<WeightedSum> touchingSum(const Merit& merit, const std::vector<const model::Fit*>& fits,
                                       const Surroundings& at);

} // namespace quadric::optimize
