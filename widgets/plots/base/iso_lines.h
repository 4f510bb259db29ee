// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <vector>

namespace quadric::widgets {

/// A line of equal height over a grid, in units of its indices: {2.5, 0} lies halfway between nodes (2, 0)
/// and (3, 0). A closed line ends where it begins.
struct IsoLine {
    double level = 0.0;
    std::vector<Eigen::Vector2d> points;
};

/// Lines of equal height by marching squares, linear between the nodes; what is higher lies at the left of
/// the way along them. Cells with a node that is not finite are left out; saddles are told apart by the mean
/// of their corners.
std::vector<IsoLine> isoLines(const Eigen::MatrixXd& z, const std::vector<double>& levels);

/// The outlines of the region of a grid where the height is at least `level`, in units of its indices as in
/// IsoLine: closed (the first point is not repeated), holes as outlines of their own, so that the even-odd
/// rule tells inside from outside. Linear between the nodes; cells with a node that is not finite are left
/// out; saddles are told apart by the mean of their corners, as isoLines() does.
std::vector<std::vector<Eigen::Vector2d>> isoRegion(const Eigen::MatrixXd& z, double level);

} // namespace quadric::widgets
