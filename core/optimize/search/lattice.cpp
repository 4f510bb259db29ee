// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/lattice.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

constexpr std::size_t kMostCombined = 4; ///< factors of which all combinations are looked at
constexpr double kSmallStep = 0.01;      ///< of continuous factors, coded
constexpr int kMostMoves = 500;
constexpr int kLongest = 1024; ///< levels at once

/// What the merit of a neighbor must have more, so that rounding makes none better.
constexpr double kBetter = 1e-9;

} // namespace

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
