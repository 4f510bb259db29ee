// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search.h"

#include "core/optimize/polish.h"
#include "core/optimize/scan_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::optimize {

namespace {

constexpr double kNothing = std::numeric_limits<double>::lowest();

/// Gain below which a step does not count.
constexpr double kGain = 1e-12;

/// Coded widths down to which lines along continuous factors are bisected.
constexpr double kScanResolution = 0.2;
constexpr double kClimbResolution = 0.02;
constexpr double kFineResolution = 1e-3;

/// Points nearer than this count as the same solution.
constexpr double kDistinct = 0.05;

/// Share of the best desirability below which a complete scan does not look for further solutions.
constexpr double kUsefulShare = 0.7;

constexpr int kClimbRounds = 6;
constexpr int kRefineRounds = 4;

/// Cells of the partition along each factor.
constexpr std::uint64_t kCells = 4;

/// Values of the outer factor of a plane; more legal levels than that are thinned out around the point.
constexpr std::size_t kPlaneValues = 300;
constexpr int kContinuousPlaneValues = 17;

/// Rounding looks at both neighbours of at most so many integer factors.
constexpr std::size_t kMostRounded = 8;
constexpr std::size_t kMostNeighbours = 729;

/// Of the roundings of a relaxed optimum, how many have their continuous factors polished.
constexpr std::size_t kPolishedRoundings = 2;

} // namespace

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

Search::Search(const SearchSpace& space, Evaluator& evaluator, const Merit& merit, const Effort& effort,
               std::stop_token stop)
    : m_space(space)
    , m_evaluator(evaluator)
    , m_merit(merit)
    , m_effort(effort)
    , m_stop(std::move(stop))
{
    for (Eigen::Index i = 0; i < space.size(); ++i) {
        if (space.axis(i).isMovable())
            m_movable.push_back(i);
        if (space.axis(i).kind == Axis::Kind::Levels)
            m_levels.push_back(i);
        if (space.axis(i).kind == Axis::Kind::Continuous)
            m_continuous.push_back(i);
    }
}

double Search::meritAt(const Eigen::VectorXd& x)
{
    m_evaluator.predict(x, m_y);
    return m_merit(m_y);
}

// --- one factor -----------------------------------------------------------------------------------------

bool Search::isHopeless(Eigen::Index axis, const Eigen::VectorXd& x, double from, double to, double best)
{
    m_line.bounds(from, to, m_low, m_high);
    if (m_merit.bound(m_low, m_high) <= best + kGain)
        return true;
    return m_space.hasConstraints() && m_space.judgeLine(axis, x, from, to) == Verdict::No;
}

bool Search::tryOnLine(Eigen::Index axis, const Eigen::VectorXd& x, double t, double& best, double& bestAt)
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

bool Search::improveLevels(Eigen::Index axis, Eigen::VectorXd& x, double& best)
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

bool Search::improveContinuous(Eigen::Index axis, Eigen::VectorXd& x, double& best, double resolution)
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

bool Search::improveCategory(Eigen::Index axis, Eigen::VectorXd& x, double& best)
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

/// Moves x along the axis to the best legal place, if that is better than `best`.
bool Search::improveAlong(Eigen::Index axis, Eigen::VectorXd& x, double& best, double resolution)
{
    const Axis::Kind kind = m_space.axis(axis).kind;
    if (kind == Axis::Kind::Category)
        return improveCategory(axis, x, best);
    m_evaluator.along(x, axis, m_line);
    return kind == Axis::Kind::Levels ? improveLevels(axis, x, best)
                                      : improveContinuous(axis, x, best, resolution);
}

// --- scan -----------------------------------------------------------------------------------------------

/// The axis along which lines are searched: the numeric one with the most values.
Eigen::Index Search::innerAxis() const
{
    const auto weight = [&](Eigen::Index i) {
        const Axis& axis = m_space.axis(i);
        if (axis.kind == Axis::Kind::Continuous)
            return std::size_t{10};
        return axis.isNumeric() ? axis.count() + 1 : std::size_t{1};
    };
    return *std::max_element(m_movable.begin(), m_movable.end(),
                             [&](Eigen::Index a, Eigen::Index b) { return weight(a) < weight(b); });
}

std::uint64_t Search::cellOf(const Eigen::VectorXd& x, Eigen::Index inner) const
{
    std::uint64_t cell = 0;
    for (const Eigen::Index i : m_movable) {
        const Axis& axis = m_space.axis(i);
        if (i == inner)
            continue;
        if (axis.kind == Axis::Kind::Category) {
            cell = cell * axis.count() + static_cast<std::uint64_t>(x[i]);
            continue;
        }
        const double width = std::max(axis.high - axis.low, std::numeric_limits<double>::min());
        const double share = std::clamp((x[i] - axis.low) / width, 0.0, 1.0);
        cell = cell * kCells +
               std::min(kCells - 1, static_cast<std::uint64_t>(share * static_cast<double>(kCells)));
    }
    return cell;
}

void Search::scanLine(Eigen::VectorXd& x, Eigen::Index inner)
{
    const std::uint64_t cell = cellOf(x, inner);
    const auto known = m_cells.find(cell);
    double best = known == m_cells.end() ? kNothing : known->second.merit;
    if (m_isCertain && m_scanned > 0.0)
        best = std::max(best, kUsefulShare * m_scanned);
    if (!improveAlong(inner, x, best, kScanResolution))
        return;
    m_cells.insert_or_assign(cell, Candidate{x, best});
    m_scanned = std::max(m_scanned, best);
}

void Search::scan()
{
    const Eigen::Index inner = innerAxis();
    LineSampler sampler(m_space, inner, m_effort.lines, m_effort.seed);
    Eigen::VectorXd x = m_space.center();
    m_isCertain = sampler.isComplete() && m_continuous.empty();
    m_scanned = kNothing;
    while (!m_stop.stop_requested() && sampler.next(x))
        scanLine(x, inner);
}

std::vector<Candidate> Search::starts(const std::vector<Eigen::VectorXd>& hints)
{
    std::vector<Candidate> found;
    for (const auto& [cell, candidate] : m_cells)
        found.push_back(candidate);
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    found.resize(std::min(found.size(), m_effort.starts));
    for (const Eigen::VectorXd& hint : hints) {
        if (m_space.isLegal(hint))
            found.push_back({hint, meritAt(hint)});
    }
    return found;
}

// --- local search ---------------------------------------------------------------------------------------

bool Search::climb(Candidate& candidate, double resolution)
{
    const double before = candidate.merit;
    for (int round = 0; round < kClimbRounds; ++round) {
        bool isBetter = false;
        for (const Eigen::Index axis : m_movable)
            isBetter |= improveAlong(axis, candidate.x, candidate.merit, resolution);
        if (!isBetter)
            break;
    }
    return candidate.merit > before;
}

bool Search::polishContinuous(Candidate& candidate)
{
    if (m_continuous.empty())
        return false;
    bool isBetter = false;
    for (int stage = 0; stage < 2; ++stage) { // the second one after leaving the plateau of no desirability
        const bool wasPositive = candidate.merit > 0.0;
        Eigen::VectorXd x = polish(m_space, m_evaluator, m_merit, m_continuous, candidate.x);
        for (const Eigen::Index axis : m_continuous)
            x[axis] = m_space.snap(axis, x[axis]);
        const double merit = meritAt(x);
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
void Search::tryRounded(const Eigen::VectorXd& relaxed, Candidate& candidate)
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
            trials.push_back({x, meritAt(x)});
    }
    std::stable_sort(trials.begin(), trials.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    for (std::size_t i = 0; i < trials.size() && i < kPolishedRoundings; ++i) {
        polishContinuous(trials[i]);
        if (trials[i].merit > candidate.merit + kGain)
            candidate = trials[i];
    }
}

void Search::polishRelaxed(Candidate& candidate)
{
    if (m_levels.empty())
        return;
    std::vector<Eigen::Index> axes = m_levels;
    axes.insert(axes.end(), m_continuous.begin(), m_continuous.end());
    Eigen::VectorXd relaxed = polish(m_space, m_evaluator, m_merit, axes, candidate.x);
    for (const Eigen::Index axis : m_continuous)
        relaxed[axis] = m_space.snap(axis, relaxed[axis]);
    tryRounded(relaxed, candidate);
}

bool Search::sweepPlane(Eigen::Index outer, Eigen::Index inner, Candidate& candidate)
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
        if (improveAlong(inner, x, best.merit, kClimbResolution))
            best.x = x;
    }
    const bool isBetter = best.merit > candidate.merit + kGain;
    candidate = best;
    return isBetter;
}

bool Search::sweepPlanes(Candidate& candidate)
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
Eigen::VectorXd Search::neighbour(const Eigen::VectorXd& origin, std::size_t choice) const
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
bool Search::tryNeighbours(Candidate& candidate)
{
    if (m_levels.empty() || m_continuous.empty())
        return false;
    const Candidate origin = candidate;
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < m_levels.size() && combinations * 3 <= kMostNeighbours; ++i)
        combinations *= 3;
    for (std::size_t choice = 1; choice < combinations && !m_stop.stop_requested(); ++choice) {
        Candidate trial{neighbour(origin.x, choice), kNothing};
        if (trial.x == origin.x)
            continue;
        if (m_space.isLegal(trial.x))
            trial.merit = meritAt(trial.x);
        for (const Eigen::Index axis : m_continuous)
            improveAlong(axis, trial.x, trial.merit, kClimbResolution);
        if (trial.merit == kNothing)
            continue;
        polishContinuous(trial);
        if (trial.merit > candidate.merit + kGain)
            candidate = trial;
    }
    return candidate.merit > origin.merit;
}

void Search::refine(Candidate& candidate)
{
    polishRelaxed(candidate);
    polishContinuous(candidate);
    if (climb(candidate, kFineResolution))
        polishContinuous(candidate);
}

std::vector<Candidate> Search::distinct(std::vector<Candidate> candidates) const
{
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    std::vector<Candidate> result;
    for (Candidate& candidate : candidates) {
        const bool isNew = std::none_of(result.begin(), result.end(), [&](const Candidate& other) {
            return distance(m_space, candidate.x, other.x) < kDistinct;
        });
        if (isNew)
            result.push_back(std::move(candidate));
    }
    return result;
}

Candidate Search::runFrom(const Eigen::VectorXd& x)
{
    Candidate candidate{x, meritAt(x)};
    climb(candidate, kClimbResolution);
    refine(candidate);
    return candidate;
}

void Search::finish(Candidate& best)
{
    for (int round = 0; round < kRefineRounds && !m_stop.stop_requested(); ++round) {
        const bool isSwept = sweepPlanes(best);
        const bool isNeighbour = tryNeighbours(best);
        if (!isSwept && !isNeighbour)
            return;
        refine(best);
    }
}

std::vector<Candidate> Search::run(const std::vector<Eigen::VectorXd>& hints)
{
    m_cells.clear();
    if (m_movable.empty()) {
        const Eigen::VectorXd only = m_space.center();
        return m_space.isLegal(only) ? std::vector<Candidate>{{only, meritAt(only)}}
                                     : std::vector<Candidate>{};
    }
    scan();
    std::vector<Candidate> found = starts(hints);
    for (Candidate& candidate : found) {
        if (!m_stop.stop_requested())
            climb(candidate, kClimbResolution);
    }
    found = distinct(std::move(found));
    if (m_isCertain)
        return found;
    for (std::size_t i = 0; i < found.size() && i < m_effort.polished && !m_stop.stop_requested(); ++i)
        refine(found[i]);
    found = distinct(std::move(found));
    if (!found.empty())
        finish(found.front());
    return distinct(std::move(found));
}

} // namespace quadric::optimize
