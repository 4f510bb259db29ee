// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"

#include <Eigen/Core>

#include <vector>

namespace quadric::widgets {

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

} // namespace quadric::widgets
