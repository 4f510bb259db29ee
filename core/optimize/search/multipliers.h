// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/optimize/merit/desirability.h"

#include <limits>
#include <optional>

namespace quadric::optimize {

/// The merit of what no quality above 0 can be had for.
inline constexpr double kNothing = std::numeric_limits<double>::lowest();

/// A line over one piece of a merit as a function of its response before the transform is inverted: nowhere
/// below the piece between the ends it was made for. MeritMode::Product: over exponent × log(quality).
struct Overestimate {
    double constant = 0.0;
    double slope = 0.0;
    double at(double z) const { return constant + slope * z; }
};

/// A line over the piece for values from `low` to `high`, close to it near `z`. kNothing as constant where
/// no quality in the range is above 0.
Overestimate overestimate(const Piece& piece, const model::Fit& fit, MeritMode mode, double z, double low,
                          double high);

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
