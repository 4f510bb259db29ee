// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/cholesky.h"

#include <Eigen/Cholesky>

#include <limits>

namespace quadric::algebra {

Cholesky::Cholesky(const Eigen::MatrixXd& symmetric)
    : m_factor(std::make_shared<const Eigen::LLT<Eigen::MatrixXd>>(symmetric))
{
}

bool Cholesky::isPositiveDefinite() const
{
    return m_factor->info() == Eigen::Success;
}

Eigen::MatrixXd Cholesky::lower() const
{
    return m_factor->matrixL();
}

double Cholesky::logDeterminant() const
{
    return 2.0 * m_factor->matrixLLT().diagonal().array().log().sum();
}

double Cholesky::reciprocalCondition() const
{
    return m_factor->rcond();
}

Eigen::VectorXd Cholesky::solve(const Eigen::VectorXd& b) const
{
    return m_factor->solve(b);
}

Eigen::MatrixXd Cholesky::solve(const Eigen::MatrixXd& b) const
{
    return m_factor->solve(b);
}

Eigen::MatrixXd Cholesky::inverse() const
{
    return solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(m_factor->rows(), m_factor->cols())));
}

Eigen::VectorXd Cholesky::solveLower(const Eigen::VectorXd& b) const
{
    return m_factor->matrixL().solve(b);
}

Eigen::MatrixXd Cholesky::solveLower(const Eigen::MatrixXd& b) const
{
    return m_factor->matrixL().solve(b);
}

PivotedCholesky::PivotedCholesky(const Eigen::MatrixXd& symmetric)
    : m_factor(std::make_shared<const Eigen::LDLT<Eigen::MatrixXd>>(symmetric))
{
}

bool PivotedCholesky::isPositiveSemidefinite() const
{
    return m_factor->info() == Eigen::Success && m_factor->isPositive();
}

double PivotedCholesky::smallestPivot() const
{
    return m_factor->info() == Eigen::Success ? m_factor->vectorD().minCoeff()
                                              : -std::numeric_limits<double>::infinity();
}

Eigen::VectorXd PivotedCholesky::solve(const Eigen::VectorXd& b) const
{
    return m_factor->solve(b);
}

Eigen::MatrixXd PivotedCholesky::inverse() const
{
    return m_factor->solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(m_factor->rows(), m_factor->cols())));
}

void solveSymmetric(const Eigen::Ref<const Eigen::MatrixXd>& symmetric, Eigen::Ref<Eigen::VectorXd> b)
{
    using Few = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kFewUnknowns, kFewUnknowns>;
    if (symmetric.rows() > kFewUnknowns) {
        b = PivotedCholesky(symmetric).solve(b);
        return;
    }
    b = Eigen::LDLT<Few>(symmetric).solve(b);
}

} // namespace quadric::algebra
