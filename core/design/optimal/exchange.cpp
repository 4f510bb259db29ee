// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/optimal/exchange.h"

#include "core/algebra/cholesky.h"
#include "core/algebra/products.h"

#include <cmath>

namespace quadric::design {

namespace {

/// A determinant that shrinks below this share of itself has become singular.
constexpr double kSingular = 1e-9;

/// Reciprocal condition below which the information counts as singular.
constexpr double kLeastCondition = 1e-13;

} // namespace

Exchange::Exchange(Criterion criterion, Eigen::MatrixXd kept, Eigen::MatrixXd momentRoot,
                   Eigen::MatrixXd rows)
    : m_criterion(criterion)
    , m_kept(std::move(kept))
    , m_root(std::move(momentRoot))
    , m_rows(std::move(rows))
{
}

bool Exchange::refresh(double ridge)
{
    Eigen::MatrixXd information = m_kept + algebra::cross(m_rows);
    information.diagonal().array() += ridge;
    const algebra::Cholesky factor(information);
    if (!factor.isPositiveDefinite() || !(factor.reciprocalCondition() > kLeastCondition))
        return false;
    m_inverse = factor.inverse();
    m_average =
        m_criterion == Criterion::I ? (algebra::transposedTimes(m_root, m_inverse) * m_root).trace() : 0.0;
    m_value = m_criterion == Criterion::D ? factor.logDeterminant() : -std::log(m_average);
    return true;
}

/// Determinant: (1 + d(y))(1 − d(x)) + d(x,y)² (Fedorov 1972); average: Meyer & Nachtsheim 1995.
Eigen::ArrayXd Exchange::gains(double dx, double px, const Eigen::ArrayXd& dy, const Eigen::ArrayXd& dxy,
                               const Eigen::ArrayXd& py, const Eigen::ArrayXd& pxy) const
{
    Eigen::ArrayXd determinant = (1.0 + dy) * (1.0 - dx) + dxy.square();
    if (m_criterion == Criterion::D)
        return determinant;
    const Eigen::ArrayXd average =
        m_average - ((1.0 - dx) * py + 2.0 * dxy * pxy - px * (1.0 + dy)) / determinant;
    return (determinant > kSingular && average > 0.0).select(m_average / average, 0.0);
}

Eigen::ArrayXd Exchange::gains(Eigen::Index i, const Eigen::MatrixXd& candidates) const
{
    const Eigen::VectorXd x = m_rows.row(i).transpose();
    const Eigen::VectorXd vx = m_inverse * x;
    const Eigen::MatrixXd v = algebra::times(candidates, m_inverse);
    const Eigen::ArrayXd dy = (v.array() * candidates.array()).rowwise().sum();
    const Eigen::ArrayXd dxy = v * x;
    if (m_criterion == Criterion::D)
        return gains(x.dot(vx), 0.0, dy, dxy, {}, {});
    const Eigen::VectorXd zx = m_root.transpose() * vx;
    const Eigen::MatrixXd z = algebra::times(v, m_root);
    return gains(x.dot(vx), zx.squaredNorm(), dy, dxy, z.array().square().rowwise().sum(), z * zx);
}

Exchange::Update Exchange::replace(Eigen::Index i, const Eigen::VectorXd& row)
{
    const Eigen::VectorXd x = m_rows.row(i).transpose();
    Update update;
    update.p.resize(row.size(), 2);
    update.p.col(0) = m_inverse * row;
    update.p.col(1) = m_inverse * x;
    const double dy = row.dot(update.p.col(0));
    const double dx = x.dot(update.p.col(1));
    const double dxy = x.dot(update.p.col(0));
    const double determinant = (1.0 + dy) * (1.0 - dx) + dxy * dxy;
    update.s << 1.0 - dx, dxy, dxy, -(1.0 + dy);
    update.s /= determinant;
    if (m_criterion == Criterion::I) {
        const Eigen::MatrixXd alongRoot = algebra::transposedTimes(m_root, update.p) * update.s;
        m_average -= (algebra::timesTransposed(alongRoot, update.p) * m_root).trace();
    }
    m_inverse -= algebra::timesTransposed(update.p * update.s, update.p);
    m_rows.row(i) = row.transpose();
    return update;
}

} // namespace quadric::design
