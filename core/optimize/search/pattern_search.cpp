// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/pattern_search.h"

#include "core/model/base/random_draw.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

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
