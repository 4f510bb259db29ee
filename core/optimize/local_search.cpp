// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/local_search.h"

#include "core/optimize/polish.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

/// Coded widths down to which lines along continuous factors are bisected.
constexpr double kClimbResolution = 0.02;
constexpr double kFineResolution = 1e-3;

constexpr int kClimbRounds = 6;
constexpr int kFinishRounds = 4;

/// Values of the outer factor of a plane; more legal levels than that are thinned out around the point.
constexpr std::size_t kPlaneValues = 300;
constexpr int kContinuousPlaneValues = 17;

/// Rounding looks at both neighbours of at most so many integer factors.
constexpr std::size_t kMostRounded = 8;
constexpr std::size_t kMostNeighbours = 729;

/// Of the roundings of a relaxed optimum, how many have their continuous factors polished.
constexpr std::size_t kPolishedRoundings = 2;

} // namespace

LocalSearch::LocalSearch(LineSearch& lines, std::stop_token stop, Eigen::Index held)
    : m_lines(lines)
    , m_space(lines.space())
    , m_stop(std::move(stop))
{
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        if (i == held)
            continue;
        if (m_space.axis(i).isMovable())
            m_movable.push_back(i);
        if (m_space.axis(i).kind == Axis::Kind::Levels)
            m_levels.push_back(i);
        if (m_space.axis(i).kind == Axis::Kind::Continuous)
            m_continuous.push_back(i);
    }
}

bool LocalSearch::climb(Candidate& candidate, double resolution)
{
    const double before = candidate.merit;
    for (int round = 0; round < kClimbRounds; ++round) {
        bool isBetter = false;
        for (const Eigen::Index axis : m_movable)
            isBetter |= m_lines.improveAlong(axis, candidate.x, candidate.merit, resolution);
        if (!isBetter)
            break;
    }
    return candidate.merit > before;
}

bool LocalSearch::climb(Candidate& candidate)
{
    return climb(candidate, kClimbResolution);
}

bool LocalSearch::polishContinuous(Candidate& candidate)
{
    if (m_continuous.empty())
        return false;
    bool isBetter = false;
    for (int stage = 0; stage < 2; ++stage) { // the second one after leaving the plateau of no desirability
        const bool wasPositive = candidate.merit > 0.0;
        Eigen::VectorXd x = polish(m_space, m_lines.evaluator(), m_lines.merit(), m_continuous, candidate.x);
        for (const Eigen::Index axis : m_continuous)
            x[axis] = m_space.snap(axis, x[axis]);
        const double merit = m_lines.meritAt(x);
        if (merit <= candidate.merit + kGain || !m_space.isLegal(x))
            break;
        candidate = {std::move(x), merit};
        isBetter = true;
        if (wasPositive)
            break;
    }
    return isBetter;
}

/// Every combination of the legal values on both sides of the relaxed integer factors.
void LocalSearch::tryRounded(const Eigen::VectorXd& relaxed, Candidate& candidate)
{
    const std::size_t rounded = std::min(m_levels.size(), kMostRounded);
    std::vector<Candidate> trials;
    for (std::size_t choice = 0; choice < std::size_t{1} << rounded; ++choice) {
        Eigen::VectorXd x = relaxed;
        for (std::size_t i = 0; i < m_levels.size(); ++i) {
            const std::vector<double>& levels = m_space.axis(m_levels[i]).coded;
            const auto above = std::lower_bound(levels.begin(), levels.end(), x[m_levels[i]]);
            const auto below = above == levels.begin() ? above : above - 1;
            const bool isUp = above != levels.end() && (choice >> i & 1U) != 0U;
            x[m_levels[i]] =
                i < rounded ? *(isUp ? above : below) : m_space.snap(m_levels[i], x[m_levels[i]]);
        }
        if (m_space.isLegal(x))
            trials.push_back({x, m_lines.meritAt(x)});
    }
    std::stable_sort(trials.begin(), trials.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    for (std::size_t i = 0; i < trials.size() && i < kPolishedRoundings; ++i) {
        polishContinuous(trials[i]);
        if (trials[i].merit > candidate.merit + kGain)
            candidate = trials[i];
    }
}

void LocalSearch::polishRelaxed(Candidate& candidate)
{
    if (m_levels.empty())
        return;
    std::vector<Eigen::Index> axes = m_levels;
    axes.insert(axes.end(), m_continuous.begin(), m_continuous.end());
    Eigen::VectorXd relaxed = polish(m_space, m_lines.evaluator(), m_lines.merit(), axes, candidate.x);
    for (const Eigen::Index axis : m_continuous)
        relaxed[axis] = m_space.snap(axis, relaxed[axis]);
    tryRounded(relaxed, candidate);
}

bool LocalSearch::sweepPlane(Eigen::Index outer, Eigen::Index inner, Candidate& candidate)
{
    const Axis& axis = m_space.axis(outer);
    const bool isListed = axis.kind != Axis::Kind::Continuous;
    const std::size_t count = isListed ? axis.count() : static_cast<std::size_t>(kContinuousPlaneValues);
    const std::size_t step = std::max<std::size_t>(1, count / kPlaneValues);
    Candidate best = candidate;
    for (std::size_t i = 0; i < count; i += step) {
        Eigen::VectorXd x = candidate.x;
        const double share = static_cast<double>(i) / static_cast<double>(kContinuousPlaneValues - 1);
        x[outer] = isListed ? axis.coded[i] : m_space.snap(outer, axis.low + share * (axis.high - axis.low));
        if (m_lines.improveAlong(inner, x, best.merit, kClimbResolution))
            best.x = x;
    }
    const bool isBetter = best.merit > candidate.merit + kGain;
    candidate = best;
    return isBetter;
}

bool LocalSearch::sweepPlanes(Candidate& candidate)
{
    bool isBetter = false;
    for (const Eigen::Index outer : m_movable)
        for (const Eigen::Index inner : m_movable) {
            if (inner != outer && m_space.axis(inner).kind != Axis::Kind::Category)
                isBetter |= sweepPlane(outer, inner, candidate);
        }
    return isBetter;
}

/// The point with every integer factor at its next lower, same or next higher level, by the base-3 digits of
/// `choice`; `origin` itself where there is no such level.
Eigen::VectorXd LocalSearch::neighbour(const Eigen::VectorXd& origin, std::size_t choice) const
{
    Eigen::VectorXd x = origin;
    for (const Eigen::Index axis : m_levels) {
        const std::vector<double>& levels = m_space.axis(axis).coded;
        const auto at = std::lower_bound(levels.begin(), levels.end(), origin[axis]);
        if ((choice % 3 == 1 && at + 1 == levels.end()) || (choice % 3 == 2 && at == levels.begin()))
            return origin;
        x[axis] = choice % 3 == 1 ? *(at + 1) : choice % 3 == 2 ? *(at - 1) : *at;
        choice /= 3;
    }
    return x;
}

/// All combinations of neighbouring levels of the integer factors, the continuous factors polished for each.
bool LocalSearch::tryNeighbours(Candidate& candidate)
{
    if (m_levels.empty() || m_continuous.empty())
        return false;
    const Candidate origin = candidate;
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < m_levels.size() && combinations * 3 <= kMostNeighbours; ++i)
        combinations *= 3;
    for (std::size_t choice = 1; choice < combinations && !m_stop.stop_requested(); ++choice) {
        Candidate trial{neighbour(origin.x, choice), kNoMerit};
        if (trial.x == origin.x)
            continue;
        if (m_space.isLegal(trial.x))
            trial.merit = m_lines.meritAt(trial.x);
        for (const Eigen::Index axis : m_continuous)
            m_lines.improveAlong(axis, trial.x, trial.merit, kClimbResolution);
        if (trial.merit == kNoMerit)
            continue;
        polishContinuous(trial);
        if (trial.merit > candidate.merit + kGain)
            candidate = trial;
    }
    return candidate.merit > origin.merit;
}

void LocalSearch::refine(Candidate& candidate)
{
    polishRelaxed(candidate);
    polishContinuous(candidate);
    if (climb(candidate, kFineResolution))
        polishContinuous(candidate);
}

Candidate LocalSearch::runFrom(const Eigen::VectorXd& x)
{
    Candidate candidate{x, m_lines.meritAt(x)};
    climb(candidate, kClimbResolution);
    refine(candidate);
    return candidate;
}

void LocalSearch::finish(Candidate& best)
{
    for (int round = 0; round < kFinishRounds && !m_stop.stop_requested(); ++round) {
        const bool isSwept = sweepPlanes(best);
        const bool isNeighbour = tryNeighbours(best);
        if (!isSwept && !isNeighbour)
            return;
        refine(best);
    }
}

} // namespace quadric::optimize
