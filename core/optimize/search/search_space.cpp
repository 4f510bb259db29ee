// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/search_space.h"

#include "core/model/base/distributions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
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

constexpr std::array<unsigned, 16> kHaltonBases = {2,  3,  5,  7,  11, 13, 17, 19,
                                                   23, 29, 31, 37, 41, 43, 47, 53};

/// Shares of the way are stretched by this much on both sides and cut off, so that faces are hit.
constexpr double kStretch = 0.1;

double radicalInverse(std::size_t index, unsigned base)
{
    double result = 0.0;
    double digit = 1.0 / base;
    for (; index > 0; index /= base, digit /= base)
        result += static_cast<double>(index % base) * digit;
    return result;
}

/// A step without a common divisor with `count`, near its golden section: visiting every stride-th
/// combination reaches all of them and sees each region early.
std::size_t strideFor(std::size_t count)
{
    auto stride = static_cast<std::size_t>(0.618 * static_cast<double>(count)) | 1U;
    while (std::gcd(stride, count) != 1)
        stride += 2;
    return stride;
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

LineSampler::LineSampler(const SearchSpace& space, Eigen::Index inner, std::size_t lines, std::uint64_t seed)
    : m_space(space)
    , m_inner(inner)
{
    for (Eigen::Index i = 0; i < space.size(); ++i) {
        if (i == inner || !space.axis(i).isMovable())
            continue;
        (space.axis(i).kind == Axis::Kind::Continuous ? m_continuous : m_listed).push_back(i);
        if (space.axis(i).kind != Axis::Kind::Continuous)
            m_isComplete = m_isComplete && (m_combinations *= space.axis(i).count()) <= kMostLines;
        if (!m_isComplete)
            m_combinations = 1;
    }
    m_stride = strideFor(m_combinations);
    const bool hasSamples = !m_isComplete || !m_continuous.empty();
    m_samples = hasSamples ? std::max<std::size_t>(1, lines / m_combinations) : 1;
    model::RandomBits generator(seed);
    for (std::size_t i = 0; i < m_listed.size() + m_continuous.size(); ++i)
        m_shift.push_back(model::drawUnit(generator));
}

double LineSampler::spread(std::size_t dimension) const
{
    const double value =
        radicalInverse(m_sample + 1, kHaltonBases[dimension % kHaltonBases.size()]) + m_shift[dimension];
    const double share = value - std::floor(value);
    return std::clamp(share * (1.0 + 2.0 * kStretch) - kStretch, 0.0, 1.0);
}

double LineSampler::levelAt(const Axis& axis, double share) const
{
    const auto last = static_cast<double>(axis.count() - 1);
    return axis.coded[static_cast<std::size_t>(std::lround(share * last))];
}

/// Moves a point outside a sphere towards its center; without this hardly any line would meet a sphere in
/// many dimensions.
void LineSampler::pullInside(Eigen::VectorXd& x) const
{
    double norm = 0.0;
    for (Eigen::Index i = 0; i < m_space.size(); ++i)
        norm += m_space.isNumeric(i) && i != m_inner ? x[i] * x[i] : 0.0;
    norm = std::sqrt(norm);
    if (norm <= m_space.region().radius)
        return;
    for (const auto& axes : {m_listed, m_continuous})
        for (const Eigen::Index i : axes) {
            if (m_space.isNumeric(i))
                x[i] = m_space.snap(i, x[i] * m_space.region().radius / norm);
        }
}

bool LineSampler::next(Eigen::VectorXd& x)
{
    if (m_at == m_combinations * m_samples)
        return false;
    std::size_t combination = m_at / m_samples * m_stride % m_combinations;
    for (std::size_t i = 0; i < m_listed.size(); ++i) {
        const Axis& axis = m_space.axis(m_listed[i]);
        x[m_listed[i]] = m_isComplete ? axis.coded[combination % axis.count()] : levelAt(axis, spread(i));
        combination /= axis.count();
    }
    for (std::size_t i = 0; i < m_continuous.size(); ++i) {
        const Axis& axis = m_space.axis(m_continuous[i]);
        const double share = spread(m_listed.size() + i);
        x[m_continuous[i]] = m_space.snap(m_continuous[i], axis.low + share * (axis.high - axis.low));
    }
    if (m_space.region().kind == RegionKind::Sphere && (!m_isComplete || m_listed.empty()))
        pullInside(x);
    ++m_at;
    ++m_sample;
    return true;
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

PatternSearch::PatternSearch(const SearchSpace& space, Function function, std::stop_token stop,
                             double smallestStep)
    : m_space(space)
    , m_function(std::move(function))
    , m_stop(std::move(stop))
    , m_smallestStep(smallestStep)
{
}

bool PatternSearch::tryPoint(const Eigen::VectorXd& x, Candidate& best) const
{
    if (!m_space.isLegal(x))
        return false;
    const double merit = m_function(x);
    if (merit <= best.merit + kGain)
        return false;
    best = {x, merit};
    return true;
}

/// Where a step along the axis can lead.
std::vector<double> PatternSearch::placesOn(Eigen::Index i, const Eigen::VectorXd& x, double step) const
{
    const Axis& axis = m_space.axis(i);
    if (axis.kind == Axis::Kind::Continuous) {
        const Range reach = m_space.reach(i, x);
        return {m_space.snap(i, std::min(x[i] + step, std::max(x[i], reach.high))),
                m_space.snap(i, std::max(x[i] - step, std::min(x[i], reach.low)))};
    }
    std::vector<double> places = m_space.neighbors(i, x[i], step);
    if (axis.kind == Axis::Kind::Levels)
        std::ranges::reverse(places); // upwards first
    return places;
}

bool PatternSearch::explore(double step, Candidate& best) const
{
    bool isBetter = false;
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        if (!m_space.axis(i).isMovable())
            continue;
        for (const double place : placesOn(i, best.x, step)) {
            Eigen::VectorXd x = best.x;
            x[i] = place;
            isBetter |= place != best.x[i] && tryPoint(x, best);
        }
    }
    return isBetter;
}

Candidate PatternSearch::climb(const Eigen::VectorXd& start, double step)
{
    Candidate best = at(start);
    while (step > m_smallestStep && !m_stop.stop_requested()) {
        const Eigen::VectorXd before = best.x;
        if (!explore(step, best)) {
            step /= 2.0;
            continue;
        }
        for (const double stretch : {1.0, 2.0, 4.0}) { // on along what gained
            Eigen::VectorXd x = best.x;
            for (Eigen::Index i = 0; i < x.size(); ++i) {
                if (m_space.axis(i).isMovable() && m_space.axis(i).isNumeric())
                    x[i] = m_space.snap(i, x[i] + stretch * (best.x[i] - before[i]));
            }
            if (!tryPoint(x, best))
                break;
        }
    }
    return best;
}

Candidate PatternSearch::best(const std::vector<Eigen::VectorXd>& points, std::size_t climbs)
{
    std::vector<Candidate> candidates;
    for (const Eigen::VectorXd& point : points) {
        if (m_stop.stop_requested())
            break;
        candidates.push_back(at(point));
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    Candidate result;
    for (std::size_t i = 0; i < candidates.size() && i < climbs; ++i) {
        Candidate reached = climb(candidates[i].x);
        if (reached.merit > result.merit)
            result = std::move(reached);
    }
    return result;
}

} // namespace quadric::optimize
