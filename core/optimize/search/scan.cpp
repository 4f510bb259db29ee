// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/search/scan.h"

#include "core/optimize/search/scan_lines.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

/// Coded width down to which lines along continuous factors are bisected.
constexpr double kScanResolution = 0.2;

/// Share of the best desirability below which a complete scan does not look for further solutions.
constexpr double kUsefulShare = 0.7;

/// Cells of the partition along each factor.
constexpr std::uint64_t kCells = 4;

} // namespace

Scan::Scan(LineSearch& lines, std::size_t count, std::uint64_t seed, std::stop_token stop)
    : m_lines(lines)
    , m_space(lines.space())
    , m_count(count)
    , m_seed(seed)
    , m_stop(std::move(stop))
{
    for (Eigen::Index i = 0; i < m_space.size(); ++i) {
        if (m_space.axis(i).isMovable())
            m_movable.push_back(i);
        m_hasContinuous |= m_space.axis(i).kind == Axis::Kind::Continuous;
    }
}

/// The axis along which lines are searched: the numeric one with the most values.
Eigen::Index Scan::innerAxis() const
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

std::uint64_t Scan::cellOf(const Eigen::VectorXd& x, Eigen::Index inner) const
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

void Scan::scanLine(Eigen::VectorXd& x, Eigen::Index inner)
{
    const std::uint64_t cell = cellOf(x, inner);
    const auto known = m_cells.find(cell);
    double best = known == m_cells.end() ? kNoMerit : known->second.merit;
    if (m_isCertain && m_scanned > 0.0)
        best = std::max(best, kUsefulShare * m_scanned);
    if (!m_lines.improveAlong(inner, x, best, kScanResolution))
        return;
    m_cells.insert_or_assign(cell, Candidate{x, best});
    m_scanned = std::max(m_scanned, best);
}

std::vector<Candidate> Scan::run()
{
    m_cells.clear();
    const Eigen::Index inner = innerAxis();
    LineSampler sampler(m_space, inner, m_count, m_seed);
    Eigen::VectorXd x = m_space.center();
    m_isCertain = sampler.isComplete() && !m_hasContinuous;
    m_scanned = kNoMerit;
    while (!m_stop.stop_requested() && sampler.next(x))
        scanLine(x, inner);
    std::vector<Candidate> found;
    for (const auto& [cell, candidate] : m_cells)
        found.push_back(candidate);
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.merit > b.merit; });
    return found;
}

} // namespace quadric::optimize
