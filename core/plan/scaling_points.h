// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "core/plan/scaling_law.h"

namespace quadric::plan {

/// What the runs show at each of their counts (levels of the factor), the other factors held as in `at`:
/// adjusted means of the model (EffectCurve::adjustedMean), each with the error of so many runs. A response
/// that is a time gives its inverse, per second. Throws std::invalid_argument for a factor without numbers
/// and for predictions that are not above 0.
std::vector<ScalingPoint> scalingPointsOf(const model::Fit& fit, const study::Study& study,
                                          std::size_t factor, const study::CodedPoint& at);

/// Rows of a table with the columns "gpus", "ranks", "nodes" or "count", and "speed" or "throughput"; also
/// "error", the relative standard error. Case does not count. Throws std::invalid_argument.
std::vector<ScalingPoint> readScalingPoints(const std::vector<std::string>& headers,
                                            const std::vector<std::vector<std::string>>& rows);

} // namespace quadric::plan
