// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <functional>
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

/// An orthonormal basis of the columns of a matrix, taken in their order.
struct OrthogonalBasis {
    std::vector<Eigen::Index> kept;    ///< columns that add a direction, ascending; one vector for each
    std::vector<Eigen::Index> aliased; ///< columns that the earlier ones explain
    Eigen::MatrixXd vectors;
};

/// Relative pivot below which a column of a model counts as aliased.
inline constexpr double kAliasTolerance = 1e-10;

/// A column whose part orthogonal to the kept ones before it is shorter than `rankTolerance` times its own
/// length is aliased.
OrthogonalBasis orthogonalBasis(const Eigen::MatrixXd& x, double rankTolerance);

/// Least squares by Householder QR of the columns that orthogonalBasis() keeps, brought to unit length, with
/// one step of iterative refinement. No pivoting: the order of the columns decides which of two equal ones is
/// aliased. The first column must be the constant;
/// `sequential[0]` is 0 (sums of squares are about the mean).
LeastSquares solveLeastSquares(const Eigen::MatrixXd& x, const Eigen::VectorXd& z, double rankTolerance);

/// z − c x₀ with the c that makes it orthogonal to x₀: for a constant x₀ the values about their mean.
Eigen::VectorXd withoutMean(const Eigen::VectorXd& z, const Eigen::VectorXd& x0);

/// How many of the columns remain when columns of zeros and columns that are a multiple of an earlier one are
/// dropped.
Eigen::Index countDirections(const Eigen::MatrixXd& x, double tolerance);

/// The variance at which a deviance (twice a negative log likelihood) is smallest: looked for at `unit` times
/// the powers of ten from `lowest` to `highest`, then by Brent's method about the best of them; 0 where none
/// is better than 0.
double findVariance(const std::function<double(double)>& deviance, double unit, int lowest, int highest);

} // namespace quadric::model
