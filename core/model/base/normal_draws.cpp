// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/normal_draws.h"

#include "core/algebra/symmetric_eigen.h"

#include <cmath>
#include <numbers>

namespace quadric::model {

double drawNormal(RandomBits& random)
{
    const double radius = std::sqrt(-2.0 * std::log(1.0 - drawUnit(random)));
    return radius * std::cos(2.0 * std::numbers::pi * drawUnit(random));
}

NormalDraws::NormalDraws(std::uint64_t seed)
    : m_random(seed)
{
}

double NormalDraws::next()
{
    return drawNormal(m_random);
}

Eigen::VectorXd NormalDraws::vector(Eigen::Index size)
{
    return matrix(size, 1);
}

Eigen::MatrixXd NormalDraws::matrix(Eigen::Index rows, Eigen::Index columns)
{
    Eigen::MatrixXd numbers(rows, columns);
    for (Eigen::Index i = 0; i < numbers.size(); ++i)
        numbers.data()[i] = next();
    return numbers;
}

double NormalDraws::errorOverEstimate(int df)
{
    double squares = 0.0;
    for (int i = 0; i < df; ++i) {
        const double z = next();
        squares += z * z;
    }
    return std::sqrt(df / squares);
}

Eigen::MatrixXd rootOfCovariance(const Eigen::MatrixXd& covariance)
{
    return covariance.size() == 0 ? covariance : algebra::rootOf(covariance);
}

} // namespace quadric::model
