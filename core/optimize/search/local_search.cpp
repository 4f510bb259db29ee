// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/local_search.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

constexpr double kFirstStep = 0.5;  ///< of a climb, coded
constexpr double kLastStep = 0.02;  ///< polishing does the rest
constexpr double kSmallStep = 0.01; ///< to the neighbors of a peak

/// What the merit of a neighbor must have more, so that rounding makes none better.
constexpr double kBetter = 1e-9;

} // namespace

PatternSearch::PatternSearch(const SearchSpace& space, Function function, std::stop_token stop,
                             double smallestStep, Eigen::Index held)
    : m_space(space)
    , m_function(std::move(function))
    , m_stop(std::move(stop))
    , m_smallestStep(smallestStep)
    , m_held(held)
{
}

bool PatternSearch::tryPoint(const Eigen::VectorXd& x, Candidate& best) const
{
    const double merit = m_function(x);
    if (!(merit > best.merit + kGain) || !m_space.isLegal(x))
        return false;
    best = {x, merit};
    return true;
}

/// Where a step along the axis can lead.
std::vector<double> PatternSearch::placesOn(Eigen::Index i, const Eigen::VectorXd& x, double step) const
{
    const Axis& axis = m_space.axis(i);
    if (axis.kind == Axis::Kind::Continuous)
        return {m_space.snap(i, std::min(x[i] + step, axis.high)),
                m_space.snap(i, std::max(x[i] - step, axis.low))};
    std::vector<double> places = m_space.neighbors(i, x[i], step);
    if (axis.kind == Axis::Kind::Levels)
        std::ranges::reverse(places); // upwards first
    return places;
}

bool PatternSearch::explore(double step, Candidate& best) const
{
    bool isBetter = false;
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        if (i == m_held || !m_space.axis(i).isMovable())
            continue;
        for (const double place : placesOn(i, best.x, step)) {
            Eigen::VectorXd x = best.x;
            x[i] = place;
            isBetter |= place != best.x[i] && tryPoint(x, best);
        }
    }
    return isBetter;
}

Candidate PatternSearch::climb(const Eigen::VectorXd& start, double step) const
{
    Candidate best{start, m_space.isLegal(start) ? m_function(start) : kNoMerit};
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

Candidate PatternSearch::best(const std::vector<Eigen::VectorXd>& points, std::size_t climbs) const
{
    std::vector<Candidate> candidates;
    for (const Eigen::VectorXd& point : points) {
        if (m_stop.stop_requested())
            break;
        candidates.push_back({point, m_function(point)});
    }
    std::ranges::stable_sort(candidates, std::greater{}, &Candidate::merit);
    Candidate result;
    for (std::size_t i = 0; i < candidates.size() && i < climbs; ++i) {
        Candidate reached = climb(candidates[i].x);
        if (reached.merit > result.merit)
            result = std::move(reached);
    }
    return result;
}

LocalSearch::LocalSearch(const SearchSpace& space, Evaluator& evaluator, const Merit& merit,
                         std::stop_token stop, Eigen::Index held)
    : m_space(space)
    , m_evaluator(evaluator)
    , m_merit(merit)
    , m_steps(
          space, [this](const Eigen::VectorXd& x) { return meritAt(x); }, std::move(stop), kLastStep, held)
{
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        if (i != held && m_space.axis(i).kind == Axis::Kind::Continuous)
            m_continuous.push_back(i);
    }
}

double LocalSearch::meritAt(const Eigen::VectorXd& x) const
{
    m_evaluator.predict(x, m_y);
    return m_merit(m_y);
}

void LocalSearch::climb(Candidate& candidate) const
{
    candidate = m_steps.climb(candidate.x, kFirstStep);
}

void LocalSearch::polishContinuous(Candidate& candidate) const
{
    if (m_continuous.empty())
        return;
    for (int stage = 0; stage < 2; ++stage) { // the second one after leaving the plateau of no desirability
        const bool wasPositive = candidate.merit > 0.0;
        Eigen::VectorXd x = polish(m_space, m_evaluator, m_merit, m_continuous, candidate.x);
        for (const Eigen::Index axis : m_continuous)
            x[axis] = m_space.snap(axis, x[axis]);
        const double merit = meritAt(x);
        if (merit <= candidate.merit + kGain || !m_space.isLegal(x))
            return;
        candidate = {std::move(x), merit};
        if (wasPositive)
            return;
    }
}

void LocalSearch::refine(Candidate& candidate) const
{
    polishContinuous(candidate);
    bool isBetter = false;
    while (m_steps.explore(0.0, candidate)) // levels next to one another
        isBetter = true;
    if (isBetter)
        polishContinuous(candidate);
}

bool LocalSearch::isPeak(const Candidate& candidate) const
{
    for (const double step : {kSmallStep, 0.0}) {
        Candidate moved{candidate.x, meritAt(candidate.x) + kBetter};
        if (m_steps.explore(step, moved))
            return false;
    }
    return true;
}

} // namespace quadric::optimize
