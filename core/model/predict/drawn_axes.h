// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

namespace quadric::model {

/// Coded positions along a factor in equal steps from low to high; of a categorical factor its levels.
std::vector<double> positionsAlong(const study::Factor& factor, int points, double low = -1.0,
                                   double high = 1.0);

/// Actual value; of a categorical factor the index of the level.
double actualAt(const study::Coding& coding, std::size_t factor, double coded);

/// A curve without points: what its axes are called.
EffectCurve emptyCurve(const study::Factor& factor, const std::string& response, const std::string& unit);

/// Adds a point at an actual value; of a prediction without an interval the band has none.
void appendPoint(const Prediction& prediction, double actual, EffectCurve& curve);

/// What the axes of a surface, or of a map over two factors, are called.
void nameAxes(const study::Factor& x, const study::Factor& y, auto& plane)
{
    plane.xName = x.name;
    plane.xUnit = x.unit;
    plane.yName = y.name;
    plane.yUnit = y.unit;
    plane.xIsLog2 = x.scale == study::Scale::Log2;
    plane.yIsLog2 = y.scale == study::Scale::Log2;
}

} // namespace quadric::model
