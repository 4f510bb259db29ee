// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/random_draw.h"

#include <Eigen/Core>

namespace quadric::model {

/// A standard normal number, the same on every machine (Box & Muller 1958, one of each pair).
double drawNormal(RandomBits& random);

/// Independent standard normal numbers, in vectors and matrices.
class NormalDraws {
public:
    explicit NormalDraws(std::uint64_t seed);

    double next();
    Eigen::VectorXd vector(Eigen::Index size);
    /// Column by column.
    Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns);

    /// √(df/χ²) with a new χ² of so many degrees of freedom: a standard error over its own estimate.
    double errorOverEstimate(int df);

private:
    RandomBits m_random;
};

/// A root L of a covariance matrix: covariance = LL'. Negative eigenvalues, which rounding makes, count as 0.
Eigen::MatrixXd rootOfCovariance(const Eigen::MatrixXd& covariance);

} // namespace quadric::model
