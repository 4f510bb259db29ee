// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/least_squares.h"

#include <Eigen/QR>

namespace quadric::model {

namespace {

/// Orthonormal basis of the kept columns, in their order (Gram–Schmidt, every column projected twice).
Eigen::MatrixXd orthogonalize(const Eigen::MatrixXd& x, double rankTolerance, LeastSquares& solution)
{
    Eigen::MatrixXd basis(x.rows(), std::min(x.rows(), x.cols()));
    Eigen::Index rank = 0;
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
        Eigen::VectorXd rest = x.col(j);
        for (int pass = 0; pass < 2; ++pass)
            rest -= basis.leftCols(rank) * (basis.leftCols(rank).transpose() * rest).eval();
        if (rank == basis.cols() || rest.norm() <= rankTolerance * x.col(j).norm()) {
            solution.aliased.push_back(j);
            continue;
        }
        basis.col(rank++) = rest.normalized();
        solution.kept.push_back(j);
    }
    return basis.leftCols(rank);
}

/// β and (X'X)⁻¹ of independent columns; columns are brought to unit length first, z is about its mean.
void solveKept(const Eigen::MatrixXd& x, const Eigen::VectorXd& z, LeastSquares& solution)
{
    const Eigen::VectorXd scale = x.colwise().norm().cwiseInverse();
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(x * scale.asDiagonal());
    const Eigen::Index p = x.cols();

    const double mean = z.mean();
    const Eigen::VectorXd centred = z.array() - mean;
    Eigen::VectorXd beta = scale.cwiseProduct(qr.solve(centred));
    beta += scale.cwiseProduct(qr.solve(centred - x * beta));

    solution.residuals = centred - x * beta;
    solution.fitted = z - solution.residuals;
    solution.beta = beta;
    solution.beta[0] += mean / x(0, 0);

    const Eigen::MatrixXd inverse =
        qr.matrixR().topRows(p).triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(p, p));
    const Eigen::MatrixXd root = scale.asDiagonal() * (qr.colsPermutation() * inverse);
    solution.covariance = root * root.transpose();
}

} // namespace

LeastSquares solveLeastSquares(const Eigen::MatrixXd& x, const Eigen::VectorXd& z, double rankTolerance)
{
    LeastSquares solution;
    solution.basis = orthogonalize(x, rankTolerance, solution);
    solveKept(x(Eigen::all, solution.kept), z, solution);

    const Eigen::VectorXd centred = z.array() - z.mean();
    solution.leverage = solution.basis.rowwise().squaredNorm().cwiseMin(1.0);
    solution.sequential = (solution.basis.transpose() * centred).cwiseAbs2();
    solution.sequential[0] = 0.0;
    return solution;
}

Eigen::Index countDirections(const Eigen::MatrixXd& x, double tolerance)
{
    Eigen::MatrixXd directions(x.rows(), x.cols());
    Eigen::Index count = 0;
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
        const double length = x.col(j).norm();
        if (length == 0.0)
            continue;
        const Eigen::VectorXd direction = x.col(j) / length;
        bool isNew = true;
        for (Eigen::Index k = 0; k < count && isNew; ++k) {
            const double sign = directions.col(k).dot(direction) < 0 ? -1.0 : 1.0;
            isNew = (directions.col(k) - sign * direction).norm() > tolerance;
        }
        if (isNew)
            directions.col(count++) = direction;
    }
    return count;
}

} // namespace quadric::model
