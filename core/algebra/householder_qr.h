// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <optional>

namespace quadric::algebra {

/// X = QR by Householder reflections, the columns in their order. X has at least as many rows as columns.
class HouseholderQr {
public:
    explicit HouseholderQr(Eigen::MatrixXd x);

    /// R in its upper triangle; what is below it describes the reflections.
    const Eigen::MatrixXd& factor() const { return m_factor; }
    /// R, with zeros below the diagonal: as many rows as columns.
    Eigen::MatrixXd upper() const;

    /// The first columns of Q, one for each column of X.
    Eigen::MatrixXd basis() const;
    /// Q'z with the whole Q: what belongs to the columns of X first, then what they leave.
    Eigen::VectorXd rotated(const Eigen::VectorXd& z) const;

    Eigen::VectorXd solveUpper(const Eigen::VectorXd& b) const; ///< R⁻¹b
    Eigen::MatrixXd inverseUpper() const;                       ///< R⁻¹

private:
    Eigen::MatrixXd m_factor;
    Eigen::VectorXd m_coefficients; ///< of the reflections
};

/// The B that makes ‖Y − XB‖ smallest. The columns of X are independent.
Eigen::MatrixXd leastSquares(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y);

/// How many columns are independent, by QR with the largest pivots first: pivots below `threshold` times the
/// largest are 0; without one, the precision of a double times the smaller dimension.
Eigen::Index rank(const Eigen::MatrixXd& x);
Eigen::Index rank(const Eigen::MatrixXd& x, double threshold);

/// Solves the square system Ax = b; empty where A is singular, as rank() sees it.
std::optional<Eigen::VectorXd> solve(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// By LU with partial pivots; 1 of a matrix without rows.
double determinant(const Eigen::MatrixXd& square);

} // namespace quadric::algebra
