// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace quadric::optimize {

/// What lies between 0 and one of some points in every quality (Zitzler & Thiele 1998). Qualities are at
/// least 0, larger is better.
class DominatedRegion {
public:
    static constexpr Eigen::Index kMostQualities = 4; ///< its parts grow with the power of their number

    /// Throws std::invalid_argument for fewer than one quality or more than `kMostQualities`.
    DominatedRegion(const std::vector<Eigen::ArrayXd>& points, Eigen::Index qualities);

    /// Of all points together, the hypervolume.
    double volume() const { return m_volume; }

    /// What one more point is expected to add to the volume. Its qualities are independent of one another,
    /// each one equally often any value of its column of `draws`: then the mean of what a box gains is the
    /// product of the means of its sides (after Emmerich, Giannakoglou & Naujoks 2006).
    double expectedGain(const Eigen::ArrayXXd& draws) const;

private:
    /// Edges, one for each quality: what is not dominated yet lies between that of each quality but the last
    /// one and the next higher edge, and above that of the last one.
    using Column = std::vector<std::size_t>;

    void addColumns(const std::vector<Eigen::ArrayXd>& points);
    bool advance(Column& column) const;
    double volumeBelow(const Column& column) const;

    std::vector<std::vector<double>> m_edges; ///< of each quality, rising from 0
    std::vector<Column> m_columns;
    double m_volume = 0.0;
};

} // namespace quadric::optimize
