// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <memory>

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

} // namespace quadric::algebra
