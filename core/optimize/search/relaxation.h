// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/optimize/merit/merit.h"

#include <limits>

namespace quadric::optimize {

/// The merit of what no quality above 0 can be had for.
inline constexpr double kNothing = std::numeric_limits<double>::lowest();

/// A line over one piece of a merit as a function of its response before the transform is inverted: nowhere
/// below the piece between the ends it was made for. MeritMode::Product: over exponent × log(quality).
struct Overestimate {
    double constant = 0.0;
    double slope = 0.0;
    double at(double z) const { return constant + slope * z; }
};

/// Where a line over a piece holds.
enum class Curvature {
    Concave, ///< a tangent lies above everywhere
    Convex,  ///< a chord lies above between its ends
    Mixed    ///< only the value at the better end is known to be above
};

/// Curvature of the piece (MeritMode::Product: of its logarithm) over the transformed scale.
Curvature curvatureOf(const Piece& piece, const study::Transform& transform, MeritMode mode);

/// The response is held at a limit there: its transform cannot be inverted, or gives next to infinity.
bool isHeld(const model::Fit& fit, double z);

/// The piece at `z`: quality, or exponent × log(quality) in MeritMode::Product (lowest() for a quality not
/// above 0).
double valueOf(const Piece& piece, const model::Fit& fit, MeritMode mode, double z);

/// The tangent at `z`, where the piece has a value.
Overestimate tangent(const Piece& piece, const model::Fit& fit, MeritMode mode, double z);

/// A line over the piece for values from `low` to `high`, close to it near `z`. lowest() as constant where
/// no quality in the range is above 0.
Overestimate overestimate(const Piece& piece, const model::Fit& fit, MeritMode mode, double z, double low,
                          double high);

} // namespace quadric::optimize
