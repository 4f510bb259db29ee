// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/least_squares.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"

#include <boost/math/tools/minima.hpp>

#include <cmath>
#include <numeric>

namespace quadric::model {

namespace {

/// X D = Q R, columns in their order and brought to unit length by the diagonal D. |Rⱼⱼ| is what column j has
/// outside the columns before it, as a part of its length.
class UnitQr {
public:
    explicit UnitQr(const Eigen::MatrixXd& x)
        : m_scale(x.colwise().norm().unaryExpr([](double length) { return length > 0 ? 1 / length : 1.0; }))
        , m_qr(x * m_scale.asDiagonal())
    {
    }

    bool isFullRank(double rankTolerance) const
    {
        return m_qr.factor().diagonal().cwiseAbs().minCoeff() > rankTolerance;
    }

    /// Q, one column per column of X.
    Eigen::MatrixXd basis() const { return m_qr.basis(); }

    /// D R⁻¹ v for v = Q'z.
    Eigen::VectorXd coefficients(const Eigen::VectorXd& projections) const
    {
        return m_scale.cwiseProduct(m_qr.solveUpper(projections));
    }

    /// (X'X)⁻¹ = D R⁻¹ R⁻ᵀ D.
    Eigen::MatrixXd covariance() const
    {
        Eigen::MatrixXd root = m_qr.inverseUpper();
        root = m_scale.asDiagonal() * root;
        return algebra::timesTransposed(root, root);
    }

private:
    Eigen::VectorXd m_scale;
    algebra::HouseholderQr m_qr;
};

/// Columns that have something outside the kept ones before them (Gram–Schmidt, every column projected
/// twice).
OrthogonalBasis gramSchmidt(const Eigen::MatrixXd& x, double rankTolerance)
{
    OrthogonalBasis result;
    Eigen::MatrixXd basis(x.rows(), std::min(x.rows(), x.cols()));
    Eigen::Index rank = 0;
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
        Eigen::VectorXd rest = x.col(j);
        for (int pass = 0; pass < 2; ++pass)
            rest -= basis.leftCols(rank) * (basis.leftCols(rank).transpose() * rest).eval();
        if (rank == basis.cols() || rest.norm() <= rankTolerance * x.col(j).norm()) {
            result.aliased.push_back(j);
            continue;
        }
        basis.col(rank++) = rest.normalized();
        result.kept.push_back(j);
    }
    result.vectors = basis.leftCols(rank);
    return result;
}

double meanAlong(const Eigen::VectorXd& z, const Eigen::VectorXd& x0)
{
    return x0.dot(z) / x0.squaredNorm();
}

std::vector<Eigen::Index> firstColumns(Eigen::Index count)
{
    std::vector<Eigen::Index> columns(static_cast<std::size_t>(count));
    std::iota(columns.begin(), columns.end(), 0);
    return columns;
}

/// Solves for independent columns with one step of iterative refinement; z is about its mean.
void solveKept(const Eigen::MatrixXd& x, const UnitQr& qr, const Eigen::VectorXd& z, LeastSquares& solution)
{
    solution.basis = qr.basis();
    const double mean = meanAlong(z, x.col(0));
    const Eigen::VectorXd centered = z - mean * x.col(0);
    const Eigen::VectorXd projections = solution.basis.transpose() * centered;
    Eigen::VectorXd beta = qr.coefficients(projections);
    beta += qr.coefficients(solution.basis.transpose() * (centered - x * beta));

    solution.residuals = centered - x * beta;
    solution.fitted = z - solution.residuals;
    solution.beta = beta;
    solution.beta[0] += mean;
    solution.covariance = qr.covariance();
    solution.leverage = solution.basis.rowwise().squaredNorm().cwiseMin(1.0);
    solution.sequential = projections.cwiseAbs2();
    solution.sequential[0] = 0.0;
}

/// Bits to which the exponent is found: nearer the likelihood is flat to rounding.
constexpr int kExponentBits = 26;

} // namespace

OrthogonalBasis orthogonalBasis(const Eigen::MatrixXd& x, double rankTolerance)
{
    if (x.rows() >= x.cols()) {
        const UnitQr qr(x);
        if (qr.isFullRank(rankTolerance))
            return {firstColumns(x.cols()), {}, qr.basis()};
    }
    return gramSchmidt(x, rankTolerance);
}

LeastSquares solveLeastSquares(const Eigen::MatrixXd& x, const Eigen::VectorXd& z, double rankTolerance)
{
    LeastSquares solution;
    if (x.rows() >= x.cols()) {
        const UnitQr qr(x);
        if (qr.isFullRank(rankTolerance)) {
            solution.kept = firstColumns(x.cols());
            solveKept(x, qr, z, solution);
            return solution;
        }
    }
    OrthogonalBasis basis = gramSchmidt(x, rankTolerance);
    solution.kept = std::move(basis.kept);
    solution.aliased = std::move(basis.aliased);
    const Eigen::MatrixXd kept = x(Eigen::all, solution.kept);
    solveKept(kept, UnitQr(kept), z, solution);
    return solution;
}

Eigen::VectorXd withoutMean(const Eigen::VectorXd& z, const Eigen::VectorXd& x0)
{
    return z - meanAlong(z, x0) * x0;
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

double findVariance(const std::function<double(double)>& deviance, double unit, int lowest, int highest)
{
    const auto at = [&](double exponent) { return deviance(unit * std::pow(10.0, exponent)); };
    double best = lowest;
    for (int exponent = lowest; exponent <= highest; ++exponent) {
        if (at(exponent) < at(best))
            best = exponent;
    }
    const auto [exponent, value] =
        boost::math::tools::brent_find_minima(at, best - 1, best + 1, kExponentBits);
    return value < deviance(0.0) ? unit * std::pow(10.0, exponent) : 0.0;
}

} // namespace quadric::model
