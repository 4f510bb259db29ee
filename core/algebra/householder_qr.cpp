// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/householder_qr.h"

#include <Eigen/LU>
#include <Eigen/QR>

#include <utility>

namespace quadric::algebra {

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

} // namespace quadric::algebra
