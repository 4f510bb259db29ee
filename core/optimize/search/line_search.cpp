// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/line_search.h"

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

} // namespace quadric::optimize
