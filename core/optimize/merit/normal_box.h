// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <cstdint>

namespace quadric::optimize {

double normalCdf(double z);

/// Probability that correlated standard normal variables lie between `low` and `high` (entries may be
/// infinite): separation of variables (Genz 1992) over `samples` shifted points of a Kronecker sequence.
/// Exact for one variable and for independent ones. `correlation` is made positive definite by shrinking it
/// where it is not. The same seed gives the same number.
double normalBoxProbability(const Eigen::VectorXd& low, const Eigen::VectorXd& high,
                            const Eigen::MatrixXd& correlation, int samples = 2000, std::uint64_t seed = 1);

} // namespace quadric::optimize
