// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"

#include <QPolygonF>

#include <Eigen/Core>

#include <functional>
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

/// The region of a map from one level up (outlines as isoRegion()), with the color of what lies between that
/// level and the next.
struct ColorBand {
    double level = 0.0;
    double share = 0.0; ///< of the scale, that its color stands for
    std::vector<std::vector<Eigen::Vector2d>> outlines;
};

/// The round values at which a map has lines, and how they read.
std::vector<Tick> contourTicks(const AxisScale& scale);

/// The colors of a map as regions, to be filled one over the other from the lowest up: they end at the lines
/// and at levels between them, so many that the colors look smooth.
std::vector<ColorBand> colorBands(const Eigen::MatrixXd& z, const AxisScale& scale);

/// The axes of a map whose nodes lie evenly on them: `rows` along x, `columns` along y.
struct GridAxes {
    AxisScale x, y;
    Eigen::Index rows = 0, columns = 0;

    /// Indices of the grid, as isoLines() gives them, in the units of the axes.
    QPolygonF polygonOf(const std::vector<Eigen::Vector2d>& indices) const;

    /// The cells that are meant, named by their first node; neighbors along x are one rectangle.
    std::vector<QPolygonF>
    cellsWhere(const std::function<bool(Eigen::Index i, Eigen::Index j)>& isMeant) const;
};

} // namespace quadric::widgets
