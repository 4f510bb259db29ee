// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <vector>

namespace quadric::model {

/// Solution of min ‖z − Xβ‖ on the columns of X that are independent of the ones before them.
struct LeastSquares {
    std::vector<Eigen::Index> kept;    ///< columns of X in the solution, ascending
    std::vector<Eigen::Index> aliased; ///< columns of X that the earlier ones explain
    Eigen::VectorXd beta;              ///< of the kept columns
    Eigen::MatrixXd covariance;        ///< (X'X)⁻¹ of the kept columns
    Eigen::VectorXd fitted, residuals, leverage;
    Eigen::MatrixXd basis;      ///< orthonormal, one column per kept column: the hat matrix is basis basis'
    Eigen::VectorXd sequential; ///< sum of squares that each kept column adds to the ones before it
};

/// Least squares by Householder QR with column pivoting and one step of iterative refinement. A column whose
/// part orthogonal to the kept columns before it is shorter than `rankTolerance` times its own length is
/// aliased. The first column must be the constant; `sequential[0]` is 0 (sums of squares are about the mean).
LeastSquares solveLeastSquares(const Eigen::MatrixXd& x, const Eigen::VectorXd& z, double rankTolerance);

/// How many of the columns remain when columns of zeros and columns that are a multiple of an earlier one are
/// dropped.
Eigen::Index countDirections(const Eigen::MatrixXd& x, double tolerance);

} // namespace quadric::model
