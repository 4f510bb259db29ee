// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/stationary_region.h"

#include "core/algebra/cholesky.h"
#include "core/algebra/products.h"
#include "core/model/base/distributions.h"
#include "core/model/predict/second_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::model {

namespace {

bool isCurved(const Fit& fit, std::size_t factor)
{
    return std::ranges::any_of(
        fit.terms, [factor](const Term& term) { return term.powers[factor] > 0 && term.degree() > 1; });
}

} // namespace

std::optional<StationaryRegion> StationaryRegion::of(const Fit& fit, std::vector<std::size_t> factors,
                                                     const study::CodedPoint& at)
{
    if (!fit.isOk() || fit.dfResidual == 0 || !(fit.sigma > 0.0) || factors.empty())
        return std::nullopt;
    if (!std::ranges::all_of(factors, [&fit](std::size_t factor) { return isCurved(fit, factor); }))
        return std::nullopt;
    StationaryRegion region;
    region.m_fit = &fit;
    region.m_at = at;
    region.m_limit = fLimit(1.0 - fit.confidence, static_cast<double>(factors.size()), fit.dfResidual);
    region.m_factors = std::move(factors);
    return region;
}

double StationaryRegion::ratioAt(const Eigen::VectorXd& coded) const
{
    study::CodedPoint point = m_at;
    const auto count = std::ssize(m_factors);
    for (Eigen::Index i = 0; i < count; ++i)
        point[static_cast<Eigen::Index>(m_factors[static_cast<std::size_t>(i)])] = coded[i];
    Eigen::MatrixXd slopes(count, std::ssize(m_fit->columns));
    for (Eigen::Index i = 0; i < slopes.rows(); ++i)
        for (Eigen::Index j = 0; j < slopes.cols(); ++j)
            slopes(i, j) = slopeOf(m_fit->columns[static_cast<std::size_t>(j)], point,
                                   m_factors[static_cast<std::size_t>(i)], m_fit->factors);
    const Eigen::VectorXd gradient = slopes * m_fit->beta;
    const algebra::PivotedCholesky covariance(
        algebra::timesTransposed(algebra::times(slopes, m_fit->unscaledCovariance), slopes));
    if (!covariance.isPositiveSemidefinite())
        return std::numeric_limits<double>::infinity();
    const double squares = gradient.dot(covariance.solve(gradient));
    return squares / (static_cast<double>(count) * m_fit->sigma * m_fit->sigma * m_limit);
}

Eigen::MatrixXd stationaryRatios(const Fit& fit, std::size_t x, std::size_t y, const study::CodedPoint& at,
                                 int points)
{
    const auto region = StationaryRegion::of(fit, {x, y}, at);
    if (!region || points < 2)
        return {};
    Eigen::MatrixXd ratios(points, points);
    for (int i = 0; i < points; ++i)
        for (int j = 0; j < points; ++j)
            ratios(i, j) = region->ratioAt(
                Eigen::Vector2d(-1.0 + 2.0 * i / (points - 1.0), -1.0 + 2.0 * j / (points - 1.0)));
    return ratios;
}

std::vector<Interval> eigenvalueIntervals(const Fit& fit, const Canonical& canonical,
                                          const study::CodedPoint& at)
{
    if (fit.dfResidual == 0)
        return {};
    const double t = tLimit(1.0 - fit.confidence, fit.dfResidual);
    Fit unit = fit; // whose quadratic form along an axis is a single weight
    std::vector<Interval> intervals;
    for (Eigen::Index axis = 0; axis < canonical.eigenvalues.size(); ++axis) {
        const Eigen::VectorXd along = canonical.eigenvectors.col(axis);
        Eigen::VectorXd weights(fit.beta.size());
        for (Eigen::Index j = 0; j < weights.size(); ++j) {
            unit.beta = Eigen::VectorXd::Unit(weights.size(), j);
            weights[j] = along.dot(secondOrderOf(unit, at).B * along);
        }
        const double error =
            fit.sigma * std::sqrt(std::max(0.0, weights.dot(fit.unscaledCovariance * weights)));
        intervals.push_back(
            {canonical.eigenvalues[axis] - t * error, canonical.eigenvalues[axis] + t * error});
    }
    return intervals;
}

bool isKindCertain(const std::vector<Interval>& eigenvalues)
{
    return std::ranges::all_of(eigenvalues,
                               [](const Interval& each) { return each.low > 0.0 || each.high < 0.0; });
}

} // namespace quadric::model
