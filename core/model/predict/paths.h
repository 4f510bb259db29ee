// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

namespace quadric::model {

enum class Direction { Ascent, Descent };

/// One step of a path from the center of the coded region.
struct PathPoint {
    double distance = 0.0;   ///< from the start of the path, coded units
    study::CodedPoint point; ///< all factors; never rounded
    std::vector<double>
        actual;            ///< per numeric factor (the order of Path::factors), not rounded to legal values
    Prediction prediction; ///< with its standard error, in the response's own unit
};

struct Path {
    std::vector<std::string> factors; ///< the numeric factors
    std::vector<PathPoint> points;
    std::string message; ///< why there is no path, when `points` is empty
};

/// Ridge analysis (Hoerl; MMA 6): on every sphere of radius r about the center the setting with the largest
/// (smallest) prediction, as the exact constrained optimum x = ½(μI − B)⁻¹b. Categorical factors are held as
/// in `at`. Models with terms of third or higher degree have no ridge path.
Path ridgePath(const Fit& fit, Direction direction, const study::CodedPoint& at,
               const std::vector<double>& radii);

/// Steepest ascent (descent): the straight line from the center along the first-order coefficients (MMA 5).
Path steepestPath(const Fit& fit, Direction direction, const study::CodedPoint& at,
                  const std::vector<double>& radii);

/// The line through the stationary point along its `axis`-th eigenvector; distances are from that point.
Path canonicalPath(const Fit& fit, std::size_t axis, const study::CodedPoint& at,
                   const std::vector<double>& distances);

/// 0, ¼, … up to `farthest`, coded units.
std::vector<double> evenRadii(double farthest = 2.0, double step = 0.25);

} // namespace quadric::model
