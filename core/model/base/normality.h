// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <optional>

namespace quadric::model {

struct ShapiroWilk {
    double w = 0.0; ///< 1 for a perfectly normal sample
    double p = 0.0; ///< probability of a smaller W from normal values
};

/// Test of normality by P. Royston, Applied Statistics 44 (1995), algorithm AS R94, no censoring. Empty for
/// fewer than 3 or more than 5000 values, and where the values are equal to rounding.
std::optional<ShapiroWilk> shapiroWilk(const Eigen::VectorXd& values);

} // namespace quadric::model
