// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <utility>
#include <vector>

namespace quadric::optimize {

/// The points that no other one equals or exceeds in every quality, larger is better, less `slack`; of equal
/// ones the first. Sorted by the first quality, the best first. `qualityOf`: of a point, an Eigen::ArrayXd.
template <class Point, class QualityOf>
std::vector<Point> keepNondominated(std::vector<Point> points, const QualityOf& qualityOf, double slack = 0.0)
{
    const auto isBefore = [&](const Point& a, const Point& b) {
        const Eigen::ArrayXd &left = qualityOf(a), &right = qualityOf(b);
        return std::lexicographical_compare(right.begin(), right.end(), left.begin(), left.end());
    };
    std::stable_sort(points.begin(), points.end(), isBefore);
    std::vector<Point> kept; // sorted so, a point can only be dominated by one that is kept already
    for (Point& point : points) {
        const bool isDominated = std::any_of(kept.begin(), kept.end(), [&](const Point& other) {
            return (qualityOf(other) >= qualityOf(point) - slack).all();
        });
        if (!isDominated)
            kept.push_back(std::move(point));
    }
    return kept;
}

} // namespace quadric::optimize
