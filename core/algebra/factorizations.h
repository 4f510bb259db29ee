// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <memory>
#include <optional>

namespace quadric::algebra {

/// A = LL' of a symmetric positive definite matrix, of which the lower triangle is read. Copies share the
/// factor, which never changes.
class Cholesky {
public:
    Cholesky() = default; ///< only to be assigned to
    explicit Cholesky(const Eigen::MatrixXd& symmetric);

    /// False where A cannot be factored: nothing else means anything then.
    bool isPositiveDefinite() const;

    Eigen::MatrixXd lower() const; ///< L
    double logDeterminant() const; ///< log |A|
    /// Estimate of 1/(‖A‖ ‖A⁻¹‖) in the 1-norm.
    double reciprocalCondition() const;

    /// A⁻¹b.
    Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
    Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;
    Eigen::MatrixXd inverse() const;

    /// L⁻¹b, whose squared length is b'A⁻¹b.
    Eigen::VectorXd solveLower(const Eigen::VectorXd& b) const;
    Eigen::MatrixXd solveLower(const Eigen::MatrixXd& b) const;

private:
    std::shared_ptr<const Eigen::LLT<Eigen::MatrixXd>> m_factor;
};

/// A = P'LDL'P of a symmetric matrix, the largest pivots first: also for matrices that may be singular.
class PivotedCholesky {
public:
    explicit PivotedCholesky(const Eigen::MatrixXd& symmetric);

    bool isPositiveSemidefinite() const;
    /// The smallest entry of D; −∞ where A cannot be factored.
    double smallestPivot() const;

    /// A⁻¹b; directions with a pivot of 0 are left out.
    Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
    Eigen::MatrixXd inverse() const;

private:
    std::shared_ptr<const Eigen::LDLT<Eigen::MatrixXd>> m_factor;
};

constexpr Eigen::Index kFewUnknowns = 8;

/// Replaces `b` by A⁻¹b, as PivotedCholesky does. Up to kFewUnknowns unknowns need no memory from the heap.
void solveSymmetric(const Eigen::Ref<const Eigen::MatrixXd>& symmetric, Eigen::Ref<Eigen::VectorXd> b);

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

/// A = V diag(values) V' of a symmetric matrix.
struct SymmetricEigen {
    Eigen::VectorXd values;  ///< ascending
    Eigen::MatrixXd vectors; ///< V, orthonormal, a column for each value
};
SymmetricEigen symmetricEigen(const Eigen::MatrixXd& symmetric);

/// R with RR' = A, of a symmetric matrix without negative eigenvalues; those that rounding made negative are
/// taken as 0.
Eigen::MatrixXd eigenRoot(const Eigen::MatrixXd& symmetric);

/// The same with a symmetric R.
Eigen::MatrixXd symmetricSquareRoot(const Eigen::MatrixXd& symmetric);

/// Descending.
Eigen::VectorXd singularValues(const Eigen::MatrixXd& x);

} // namespace quadric::algebra
