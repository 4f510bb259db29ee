// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/search_space.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::optimize {

namespace {

/// A factor with more legal values is searched like a continuous one.
constexpr std::size_t kMostListed = 100000;

double reachOf(const Region& region)
{
    const double reach = region.kind == RegionKind::Box ? 1.0 : region.radius;
    if (!std::isfinite(reach) || reach <= 0.0)
        throw std::invalid_argument("the region's radius is " + study::toText(reach) +
                                    ", expected a number above 0 (coded units)");
    return reach;
}

} // namespace

SearchSpace::SearchSpace(const study::Study& study, const std::vector<model::Fit>& fits,
                         const OptimizeOptions& options)
    : LegalSpace(study, {.reach = reachOf(options.region), .mostListed = kMostListed, .held = options.fixed})
    , m_region(options.region)
{
    checkValues();
    if (options.staysNearRuns || options.maxLeverage)
        m_leverage = LeverageLimit(fits, options.maxLeverage);
    m_feasibility = FeasibilityLimit(options.feasibility ? options.feasibility : model::feasibilityOf(study),
                                     options.leastRunsProbability);
    m_ranges.resize(axes().size());
    m_actual.resize(axes().size());
}

Range SearchSpace::reach(Eigen::Index i, const Eigen::VectorXd& x) const
{
    const Axis& a = axis(i);
    if (m_region.kind != RegionKind::Sphere || !isNumeric(i))
        return {a.low, a.high};
    double rest = m_region.radius * m_region.radius;
    for (Eigen::Index other = 0; other < size(); ++other) {
        if (other != i && isNumeric(other))
            rest -= x[other] * x[other];
    }
    if (rest < -kSphereSlack * m_region.radius * m_region.radius)
        return {1.0, -1.0};
    const double half = std::sqrt(std::max(rest, 0.0));
    return {std::max(a.low, -half), std::min(a.high, half)};
}

std::vector<Eigen::VectorXd> SearchSpace::findPointsThatRan() const
{
    std::vector<Eigen::VectorXd> points;
    if (!m_feasibility.isActive())
        return points;
    const model::RunOutcomes& outcomes = m_feasibility.feasibility()->outcomes();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const Eigen::VectorXd x = outcomes.points.row(static_cast<Eigen::Index>(i)).transpose();
        if (outcomes.hasRun[i] && contains(x) && isLegal(x))
            points.push_back(x);
    }
    return points;
}

bool SearchSpace::contains(const Eigen::VectorXd& x) const
{
    constexpr double kSameValue = 1e-9; // coded
    for (Eigen::Index i = 0; i < size(); ++i) {
        const Axis& a = axis(i);
        const double nearest = a.isMovable() ? snap(i, x[i]) : a.low;
        if (std::abs(nearest - x[i]) > kSameValue)
            return false;
    }
    return true;
}

bool SearchSpace::isLegal(const Eigen::VectorXd& x) const
{
    if (m_region.kind == RegionKind::Sphere) {
        double norm = 0.0;
        for (Eigen::Index i = 0; i < size(); ++i)
            norm += isNumeric(i) ? x[i] * x[i] : 0.0;
        if (norm > m_region.radius * m_region.radius * (1.0 + kSphereSlack))
            return false;
    }
    return !hasConstraints() || judgeLine(0, x, x[0], x[0]) == Verdict::Yes;
}

double SearchSpace::marginOfLimits(const Eigen::VectorXd& x) const
{
    const double ofLeverage = m_leverage.isActive() ? m_leverage.margin(x) : 1.0;
    return m_feasibility.isActive() && ofLeverage >= 0.0 ? std::min(ofLeverage, m_feasibility.margin(x))
                                                         : ofLeverage;
}

Verdict SearchSpace::judgeLine(Eigen::Index i, const Eigen::VectorXd& x, double from, double to) const
{
    for (Eigen::Index other = 0; other < size(); ++other) {
        const double value = actualAt(other, x[other]);
        m_ranges[static_cast<std::size_t>(other)] = {value, value};
    }
    m_ranges[static_cast<std::size_t>(i)] = {actualAt(i, from), actualAt(i, to)};
    const Verdict verdict = constraints().judge(m_ranges);
    if (verdict == Verdict::No || !isLimited())
        return verdict;
    if (from != to)
        return Verdict::Maybe;
    m_point = x;
    m_point[i] = from;
    return marginOfLimits(m_point) >= 0.0 ? verdict : Verdict::No;
}

Verdict SearchSpace::judgeBox(const std::vector<Range>& coded) const
{
    for (Eigen::Index i = 0; i < size(); ++i) {
        const Range& range = coded[static_cast<std::size_t>(i)];
        m_ranges[static_cast<std::size_t>(i)] = {actualAt(i, range.low), actualAt(i, range.high)};
    }
    const Verdict verdict = constraints().judge(m_ranges);
    return verdict == Verdict::Yes && isLimited() ? Verdict::Maybe : verdict;
}

double SearchSpace::margin(const Eigen::VectorXd& x) const
{
    for (Eigen::Index i = 0; i < size(); ++i) {
        const auto factor = static_cast<std::size_t>(i);
        m_actual[factor] = axis(i).isNumeric() ? coding().toActual(factor, x[i]) : actualAt(i, x[i]);
    }
    const double margin = constraints().margin(m_actual);
    return isLimited() ? std::min(margin, marginOfLimits(x)) : margin;
}

} // namespace quadric::optimize
