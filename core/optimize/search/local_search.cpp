// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/local_search.h"

#include "core/optimize/search/polish.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

/// Coded widths down to which lines along continuous factors are bisected.
constexpr double kClimbResolution = 0.02;
constexpr double kFineResolution = 1e-3;

constexpr int kClimbRounds = 6;

/// Rounding looks at both neighbors of at most so many integer factors.
constexpr std::size_t kMostRounded = 8;

/// Of the roundings of a relaxed optimum, how many have their continuous factors polished.
constexpr std::size_t kPolishedRoundings = 2;

} // namespace

LocalSearch::LocalSearch(LineSearch& lines, Eigen::Index held)
    : m_lines(lines)
    , m_space(lines.space())
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

} // namespace quadric::optimize
