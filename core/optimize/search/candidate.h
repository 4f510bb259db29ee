// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <limits>

namespace quadric::optimize {

/// A merit below all others.
inline constexpr double kNoMerit = std::numeric_limits<double>::lowest();

/// Gain below which a step does not count.
inline constexpr double kGain = 1e-12;

/// A legal point and its merit.
struct Candidate {
    Eigen::VectorXd x;
    double merit = kNoMerit;
};

} // namespace quadric::optimize
