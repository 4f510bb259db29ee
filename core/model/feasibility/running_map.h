// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "core/model/predict/predict.h"

namespace quadric::model {

/// A run that failed for a reason that repeats, on a map of two factors; actual values.
struct FailedPoint {
    int run = 0;
    double x = 0.0, y = 0.0;
    std::string cause; ///< kind of the failure
};

/// A surface, and what failed runs say of it.
struct MarkedSurface : SurfaceGrid {
    MarkedSurface(SurfaceGrid grid = {})
        : SurfaceGrid(std::move(grid))
    {
    }
    study::FeasibleGrid running;     ///< by the probability of giving a result; empty: no run failed
    std::vector<FailedPoint> failed; ///< of this slice
};

/// Settings that give a result with less than this are drawn as failing.
inline constexpr double kEvenChance = 0.5;

/// Probability of giving a result over two different factors, the others as in `at`, its level an even
/// chance. Empty where no run failed for a reason that repeats.
study::FeasibleGrid runningGrid(const study::Study& study, const study::MapAxis& x, const study::MapAxis& y,
                                const study::CodedPoint& at);

/// The same along one factor.
study::FeasibleLine runningLine(const study::Study& study, const study::MapAxis& along,
                                const study::CodedPoint& at);

/// The runs that failed for a reason that repeats at settings of the map: all other factors are where the map
/// holds them.
std::vector<FailedPoint> failedPoints(const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                                      const study::CodedPoint& at);

/// The surface over two factors with what failed runs say of it.
MarkedSurface marked(SurfaceGrid surface, const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                     const study::CodedPoint& at);

} // namespace quadric::model
