// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/range_finder.h"

#include <algorithm>

namespace quadric::optimize {

namespace {

constexpr int kHalvings = 6; ///< of the way from a factor's range to the end of the region

double endOf(const Axis& axis, bool isHigh)
{
    if (axis.kind == Axis::Kind::Levels)
        return isHigh ? axis.coded.back() : axis.coded.front();
    return isHigh ? axis.high : axis.low;
}

} // namespace

RangeFinder::RangeFinder(const RegionTest& test)
    : m_test(test)
{
}

FactorRange RangeFinder::rangeOf(Eigen::Index axis, const std::vector<Eigen::VectorXd>& members) const
{
    FactorRange range;
    range.factor = m_test.space().factors()[static_cast<std::size_t>(axis)].name;
    if (!m_test.space().isNumeric(axis))
        return levelsOf(axis, members, std::move(range));
    const auto [low, high] =
        std::ranges::minmax_element(members, {}, [axis](const Eigen::VectorXd& x) { return x[axis]; });
    const Axis& along = m_test.space().axis(axis);
    const double from = along.isMovable() ? grow(axis, *low, endOf(along, false)) : (*low)[axis];
    const double to = along.isMovable() ? grow(axis, *high, endOf(along, true)) : (*high)[axis];
    range.low = m_test.space().actualAt(axis, from);
    range.high = m_test.space().actualAt(axis, to);
    range.isWhole = along.isMovable() && from <= endOf(along, false) && to >= endOf(along, true);
    return range;
}

bool RangeFinder::reaches(Eigen::Index axis, double coded, const Eigen::VectorXd& from) const
{
    const std::optional<Eigen::VectorXd> best = m_test.findBestWith(axis, coded, from);
    return best && m_test.contains(*best);
}

/// The farthest value towards `end`, by halving the way to it.
double RangeFinder::grow(Eigen::Index axis, const Eigen::VectorXd& member, double end) const
{
    if (member[axis] == end || reaches(axis, end, member))
        return end;
    double inside = member[axis], outside = end;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = m_test.space().snap(axis, (inside + outside) / 2.0);
        if (middle == inside || middle == outside)
            break;
        (reaches(axis, middle, member) ? inside : outside) = middle;
    }
    return inside;
}

FactorRange RangeFinder::levelsOf(Eigen::Index axis, const std::vector<Eigen::VectorXd>& members,
                                  FactorRange range) const
{
    const study::Factor& factor = m_test.space().factors()[static_cast<std::size_t>(axis)];
    for (std::size_t level = 0; level < factor.categories.size(); ++level) {
        const auto coded = static_cast<double>(level);
        const bool isMember =
            std::ranges::any_of(members, [&](const Eigen::VectorXd& x) { return x[axis] == coded; });
        if (isMember || (m_test.space().axis(axis).isMovable() && reaches(axis, coded, members.front())))
            range.levels.push_back(factor.categories[level]);
    }
    range.isWhole = range.levels.size() == factor.categories.size();
    return range;
}

} // namespace quadric::optimize
