// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/products.h"

namespace quadric::algebra {

Eigen::MatrixXd times(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b)
{
    return a * b;
}

void times(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, Eigen::MatrixXd& product)
{
    product.noalias() = a * b;
}

Eigen::MatrixXd timesTransposed(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b)
{
    return a * b.transpose();
}

Eigen::MatrixXd transposedTimes(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b)
{
    return a.transpose() * b;
}

Eigen::MatrixXd cross(const Eigen::MatrixXd& x)
{
    return x.transpose() * x;
}

Eigen::MatrixXd weightedCross(const Eigen::MatrixXd& x, const Eigen::VectorXd& weights)
{
    return x.transpose() * weights.asDiagonal() * x;
}

} // namespace quadric::algebra
