// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/symmetric_eigen.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace quadric::algebra {

SymmetricEigen symmetricEigen(const Eigen::MatrixXd& symmetric)
{
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::MatrixXd rootOf(const Eigen::MatrixXd& symmetric)
{
    const SymmetricEigen parts = symmetricEigen(symmetric);
    return parts.vectors * parts.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

Eigen::MatrixXd symmetricRootOf(const Eigen::MatrixXd& symmetric)
{
    const SymmetricEigen parts = symmetricEigen(symmetric);
    return parts.vectors * parts.values.cwiseMax(0.0).cwiseSqrt().asDiagonal() * parts.vectors.transpose();
}

Eigen::VectorXd singularValues(const Eigen::MatrixXd& x)
{
    return Eigen::JacobiSVD<Eigen::MatrixXd>(x).singularValues();
}

} // namespace quadric::algebra
