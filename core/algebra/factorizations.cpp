// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/factorizations.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <limits>
#include <utility>

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

HouseholderQr::HouseholderQr(Eigen::MatrixXd x)
    : m_factor(std::move(x))
{
    // Decomposes in place: the matrix that is referred to becomes the factor.
    Eigen::Ref<Eigen::MatrixXd> inPlace(m_factor);
    m_coefficients = Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>>(inPlace).hCoeffs();
}

Eigen::MatrixXd HouseholderQr::upper() const
{
    return m_factor.topRows(m_factor.cols()).triangularView<Eigen::Upper>();
}

Eigen::MatrixXd HouseholderQr::basis() const
{
    return Eigen::householderSequence(m_factor, m_coefficients) *
           Eigen::MatrixXd::Identity(m_factor.rows(), m_factor.cols());
}

Eigen::VectorXd HouseholderQr::rotated(const Eigen::VectorXd& z) const
{
    return Eigen::householderSequence(m_factor, m_coefficients).transpose() * z;
}

Eigen::VectorXd HouseholderQr::solveUpper(const Eigen::VectorXd& b) const
{
    return m_factor.topRows(m_factor.cols()).triangularView<Eigen::Upper>().solve(b);
}

Eigen::MatrixXd HouseholderQr::inverseUpper() const
{
    return m_factor.topRows(m_factor.cols())
        .triangularView<Eigen::Upper>()
        .solve(Eigen::MatrixXd::Identity(m_factor.cols(), m_factor.cols()));
}

Eigen::MatrixXd leastSquares(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y)
{
    return x.householderQr().solve(y);
}

Eigen::Index rank(const Eigen::MatrixXd& x)
{
    return x.colPivHouseholderQr().rank();
}

Eigen::Index rank(const Eigen::MatrixXd& x, double threshold)
{
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(x);
    factor.setThreshold(threshold);
    return factor.rank();
}

std::optional<Eigen::VectorXd> solve(const Eigen::MatrixXd& a, const Eigen::VectorXd& b)
{
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(a);
    return factor.rank() == a.cols() ? std::optional<Eigen::VectorXd>(factor.solve(b)) : std::nullopt;
}

double determinant(const Eigen::MatrixXd& square)
{
    return square.determinant();
}

SymmetricEigen symmetricEigen(const Eigen::MatrixXd& symmetric)
{
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::MatrixXd eigenRoot(const Eigen::MatrixXd& symmetric)
{
    const SymmetricEigen parts = symmetricEigen(symmetric);
    return parts.vectors * parts.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

Eigen::MatrixXd symmetricSquareRoot(const Eigen::MatrixXd& symmetric)
{
    const SymmetricEigen parts = symmetricEigen(symmetric);
    return parts.vectors * parts.values.cwiseMax(0.0).cwiseSqrt().asDiagonal() * parts.vectors.transpose();
}

Eigen::VectorXd singularValues(const Eigen::MatrixXd& x)
{
    return Eigen::JacobiSVD<Eigen::MatrixXd>(x).singularValues();
}

} // namespace quadric::algebra
