// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <vector>

namespace quadric::widgets {

/// The outlines of the region of a grid where the height is at least `level`, in units of its indices as in
/// IsoLine: closed (the first point is not repeated), holes as outlines of their own, so that the even-odd
/// rule tells inside from outside. Linear between the nodes; cells with a node that is not finite are left
/// out; saddles are told apart by the mean of their corners, as isoLines() does.
std::vector<std::vector<Eigen::Vector2d>> isoRegion(const Eigen::MatrixXd& z, double level);

} // namespace quadric::widgets
