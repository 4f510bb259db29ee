// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/local_search.h"

#include "core/optimize/search/polish.h"

#include <algorithm>

namespace quadric::optimize {

LineSearch::LineSearch(const SearchSpace& space, Evaluator& evaluator, const Merit& merit)
    : m_space(space)
    , m_evaluator(evaluator)
    , m_merit(merit)
{
}

double LineSearch::meritAt(const Eigen::VectorXd& x)
{
    m_evaluator.predict(x, m_y);
    return m_merit(m_y);
}

bool LineSearch::isHopeless(Eigen::Index axis, const Eigen::VectorXd& x, double from, double to, double best)
{
    m_line.bounds(from, to, m_low, m_high);
    if (m_merit.bound(m_low, m_high) <= best + kGain)
        return true;
    return m_space.hasConstraints() && m_space.judgeLine(axis, x, from, to) == Verdict::No;
}

bool LineSearch::tryOnLine(Eigen::Index axis, const Eigen::VectorXd& x, double t, double& best,
                           double& bestAt)
{
    m_line.predict(t, m_y);
    const double merit = m_merit(m_y);
    if (merit <= best + kGain)
        return false;
    if (m_space.hasConstraints() && m_space.judgeLine(axis, x, t, t) != Verdict::Yes)
        return false;
    best = merit;
    bestAt = t;
    return true;
}

bool LineSearch::improveLevels(Eigen::Index axis, Eigen::VectorXd& x, double& best)
{
    const std::vector<double>& levels = m_space.axis(axis).coded;
    const Range reach = m_space.reach(axis, x);
    const auto first = std::lower_bound(levels.begin(), levels.end(), reach.low);
    const auto last = std::upper_bound(first, levels.end(), reach.high);
    std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> open{
        {first - levels.begin(), last - levels.begin()}};
    double bestAt = x[axis];
    bool isBetter = false;
    while (!open.empty()) {
        const auto [begin, end] = open.back();
        open.pop_back();
        const auto level = [&](std::ptrdiff_t i) { return levels[static_cast<std::size_t>(i)]; };
        if (begin >= end || isHopeless(axis, x, level(begin), level(end - 1), best))
            continue;
        const std::ptrdiff_t middle = begin + (end - begin) / 2;
        isBetter |= tryOnLine(axis, x, level(middle), best, bestAt);
        open.emplace_back(begin, middle);
        open.emplace_back(middle + 1, end);
    }
    x[axis] = bestAt;
    return isBetter;
}

bool LineSearch::improveContinuous(Eigen::Index axis, Eigen::VectorXd& x, double& best, double resolution)
{
    const Range reach = m_space.reach(axis, x);
    if (reach.low > reach.high)
        return false;
    double bestAt = x[axis];
    bool isBetter = tryOnLine(axis, x, m_space.snap(axis, reach.low), best, bestAt);
    isBetter |= tryOnLine(axis, x, m_space.snap(axis, reach.high), best, bestAt);
    std::vector<Range> open{reach};
    while (!open.empty()) {
        const Range part = open.back();
        open.pop_back();
        if (isHopeless(axis, x, part.low, part.high, best))
            continue;
        const double middle = (part.low + part.high) / 2.0;
        isBetter |= tryOnLine(axis, x, m_space.snap(axis, middle), best, bestAt);
        if (part.high - part.low > resolution) {
            open.push_back({part.low, middle});
            open.push_back({middle, part.high});
        }
    }
    x[axis] = bestAt;
    return isBetter;
}

bool LineSearch::improveCategory(Eigen::Index axis, Eigen::VectorXd& x, double& best)
{
    Eigen::VectorXd trial = x;
    bool isBetter = false;
    for (const double category : m_space.axis(axis).coded) {
        trial[axis] = category;
        const double merit = meritAt(trial);
        if (merit <= best + kGain || !m_space.isLegal(trial))
            continue;
        best = merit;
        x[axis] = category;
        isBetter = true;
    }
    return isBetter;
}

bool LineSearch::improveAlong(Eigen::Index axis, Eigen::VectorXd& x, double& best, double resolution)
{
    const Axis::Kind kind = m_space.axis(axis).kind;
    if (kind == Axis::Kind::Category)
        return improveCategory(axis, x, best);
    m_evaluator.along(x, axis, m_line);
    return kind == Axis::Kind::Levels ? improveLevels(axis, x, best)
                                      : improveContinuous(axis, x, best, resolution);
}

namespace {

/// Coded widths down to which lines along continuous factors are bisected.
constexpr double kClimbResolution = 0.02;
constexpr double kFineResolution = 1e-3;

constexpr int kClimbRounds = 6;

/// Rounding looks at both neighbors of at most so many integer factors.
constexpr std::size_t kMostRounded = 8;

/// Of the roundings of a relaxed optimum, how many have their continuous factors polished.
constexpr std::size_t kPolishedRoundings = 2;

constexpr std::size_t kMostCombined = 4; ///< factors of which all combinations are looked at
constexpr double kSmallStep = 0.01;      ///< of continuous factors, coded
constexpr int kMostMoves = 500;
constexpr int kLongest = 1024; ///< levels at once

/// What the merit of a neighbor must have more, so that rounding makes none better.
constexpr double kBetter = 1e-9;

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

Lattice::Lattice(LineSearch& lines)
    : m_lines(lines)
    , m_space(lines.space())
    , m_local(lines)
{
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        if (m_space.axis(i).kind == Axis::Kind::Category)
            m_categories.push_back(i);
        if (m_space.axis(i).kind == Axis::Kind::Continuous)
            m_steps.insert(m_steps.end(), {{{i, -1}}, {{i, 1}}});
    }
    addCombinations();
}

void Lattice::addCombinations()
{
    std::vector<Eigen::Index> axes;
    for (Eigen::Index i = 0; i < m_space.size(); ++i)
        if (m_space.axis(i).kind == Axis::Kind::Levels)
            axes.push_back(i);
    const std::size_t most = axes.size() <= kMostCombined ? axes.size() : 2;
    m_levels.emplace_back();
    for (const Eigen::Index axis : axes)
        for (std::size_t i = m_levels.size(); i-- > 0;) {
            if (m_levels[i].size() >= most)
                continue;
            for (const int move : {-1, 1}) {
                Direction longer = m_levels[i];
                longer.emplace_back(axis, move);
                m_levels.push_back(std::move(longer));
            }
        }
    m_levels.erase(m_levels.begin());
}

/// With a merit of none where that is outside the region or not legal.
Candidate Lattice::step(const Candidate& from, const Direction& direction, int times)
{
    Candidate to{from.x, kNoMerit};
    for (const auto& [i, move] : direction) {
        const Axis& axis = m_space.axis(i);
        if (axis.kind == Axis::Kind::Continuous) {
            to.x[i] = m_space.snap(i, std::clamp(from.x[i] + kSmallStep * move * times, axis.low, axis.high));
            continue;
        }
        const auto at = std::ranges::lower_bound(axis.coded, from.x[i]) - axis.coded.begin();
        const std::ptrdiff_t place = at + static_cast<std::ptrdiff_t>(move) * times;
        if (place < 0 || place >= std::ssize(axis.coded))
            return to;
        to.x[i] = axis.coded[static_cast<std::size_t>(place)];
    }
    if (m_space.isLegal(to.x))
        to.merit = m_lines.meritAt(to.x);
    return to;
}

/// To the best neighbor, and on in its direction for as long as that gains.
bool Lattice::improve(Candidate& candidate)
{
    Candidate best = candidate;
    for (const Direction& direction : m_levels) {
        Candidate next = step(candidate, direction, 1);
        for (int times = 2; next.merit > best.merit + kBetter && times <= kLongest; times *= 2) {
            best = next;
            next = step(candidate, direction, times);
        }
    }
    for (const Eigen::Index axis : m_categories)
        for (const double level : m_space.axis(axis).coded) {
            Candidate other{candidate.x, kNoMerit};
            other.x[axis] = level;
            if (m_space.isLegal(other.x))
                other.merit = m_lines.meritAt(other.x);
            if (other.merit > best.merit + kBetter)
                best = std::move(other);
        }
    if (!(best.merit > candidate.merit + kBetter))
        return false;
    candidate = std::move(best);
    m_local.polishContinuous(candidate);
    return true;
}

bool Lattice::isPeak(const Candidate& candidate)
{
    Candidate moved = candidate;
    return !improve(moved) && std::ranges::none_of(m_steps, [&](const Direction& direction) {
        return step(candidate, direction, 1).merit > candidate.merit + kBetter;
    });
}

void Lattice::climb(Candidate& candidate)
{
    for (int moves = 0; moves < kMostMoves && improve(candidate); ++moves) {
    }
}

} // namespace quadric::optimize
