// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/search_space.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>
#include <functional>
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

constexpr int kTriesForEach = 20;

Eigen::VectorXd randomPoint(const SearchSpace& space, model::RandomBits& generator)
{
    Eigen::VectorXd x = space.center();
    double norm = 0.0;
    for (Eigen::Index i = 0; i < space.size(); ++i) {
        const Axis& axis = space.axis(i);
        if (axis.kind == Axis::Kind::Continuous) {
            const double share = std::clamp(1.25 * model::drawUnit(generator) - 0.125, 0.0, 1.0);
            x[i] = space.snap(i, axis.low + share * (axis.high - axis.low));
        } else if (axis.isMovable()) {
            x[i] = axis.coded[generator() % axis.count()];
        }
        norm += space.isNumeric(i) ? x[i] * x[i] : 0.0;
    }
    const double radius = space.region().radius;
    if (space.region().kind == RegionKind::Sphere && norm > radius * radius) {
        const double shrink = radius / std::sqrt(norm) * std::sqrt(model::drawUnit(generator));
        for (Eigen::Index i = 0; i < space.size(); ++i) {
            if (space.axis(i).isMovable() && space.isNumeric(i))
                x[i] = space.snap(i, x[i] * shrink);
        }
    }
    return x;
}

/// What all models can tell, per factor.
std::vector<std::optional<study::Range>> estimableRanges(const study::Study& study,
                                                         const std::vector<model::Fit>& fits)
{
    std::vector<std::optional<study::Range>> ranges(study.factors.size());
    for (const model::Fit& fit : fits) {
        if (!fit.isOk() || fit.data == nullptr || fit.factors != study.factors)
            continue;
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            const auto& limit = fit.data->estimability.limits()[i];
            if (limit && ranges[i])
                ranges[i] = {std::max(ranges[i]->low, limit->first),
                             std::min(ranges[i]->high, limit->second)};
            else if (limit)
                ranges[i] = {limit->first, limit->second};
        }
    }
    return ranges;
}

} // namespace

SearchSpace::SearchSpace(const study::Study& study, const std::vector<model::Fit>& fits,
                         const OptimizeOptions& options)
    : LegalSpace(study, {.reach = reachOf(options.region),
                         .mostListed = kMostListed,
                         .held = options.fixed,
                         .hasWholeNodes = true,
                         .within = estimableRanges(study, fits)})
    , m_region(options.region)
{
    checkValues();
    if (options.staysNearRuns)
        m_leverage = LeverageLimit(fits);
    m_feasibility = FeasibilityLimit(options.feasibility ? options.feasibility : model::feasibilityOf(study),
                                     options.leastRunsProbability);
    m_ranges.resize(axes().size());
    m_actual.resize(axes().size());
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
    return satisfiesConstraints(x) && (!isLimited() || marginOfLimits(x) >= 0.0);
}

double SearchSpace::marginOfLimits(const Eigen::VectorXd& x) const
{
    const double ofLeverage = m_leverage.isActive() ? m_leverage.margin(x) : 1.0;
    return m_feasibility.isActive() && ofLeverage >= 0.0 ? std::min(ofLeverage, m_feasibility.margin(x))
                                                         : ofLeverage;
}

bool SearchSpace::isForbidden(const std::vector<Range>& coded) const
{
    for (Eigen::Index i = 0; i < size(); ++i) {
        const Range& range = coded[static_cast<std::size_t>(i)];
        m_ranges[static_cast<std::size_t>(i)] = {actualAt(i, range.low), actualAt(i, range.high)};
    }
    return constraints().judge(m_ranges) == Verdict::No;
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

std::vector<Eigen::VectorXd> legalSample(const SearchSpace& space, std::size_t count, std::uint64_t seed)
{
    model::RandomBits generator(seed);
    std::vector<Eigen::VectorXd> points;
    if (space.isLegal(space.center()))
        points.push_back(space.center());
    for (std::size_t i = 0; i < kTriesForEach * count && points.size() < count; ++i) {
        Eigen::VectorXd x = randomPoint(space, generator);
        if (space.isLegal(x))
            points.push_back(std::move(x));
    }
    return points;
}

double distance(const SearchSpace& space, const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    double largest = 0.0;
    for (Eigen::Index i = 0; i < space.size(); ++i) {
        if (!space.isNumeric(i) && a[i] != b[i])
            return std::numeric_limits<double>::infinity();
        largest = std::max(largest, std::abs(a[i] - b[i]));
    }
    return largest;
}

std::vector<Candidate> spreadOut(const SearchSpace& space, std::vector<Candidate> candidates, double apart,
                                 std::size_t most)
{
    std::ranges::stable_sort(candidates, std::greater{}, &Candidate::merit);
    std::vector<Candidate> result;
    for (Candidate& candidate : candidates) {
        if (result.size() == most)
            break;
        const bool isNew = std::ranges::none_of(
            result, [&](const Candidate& other) { return distance(space, candidate.x, other.x) < apart; });
        if (isNew)
            result.push_back(std::move(candidate));
    }
    return result;
}

} // namespace quadric::optimize
