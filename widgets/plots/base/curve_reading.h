// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

#include <QString>

#include <optional>

namespace quadric::widgets {

/// A value and its interval on a curve.
struct CurveReading {
    double mean = 0.0;
    std::optional<double> low, high;
};

/// The curve read at an actual value of its factor, between its points on the factor's own scale.
CurveReading readCurve(const model::EffectCurve& curve, double actual);

/// The same in words: "gpus 32 GPUs", then "throughput 27 300 ± 900 img/s" with what the interval is, then
/// whether it is extrapolated. Of a categorical factor at the nearest level.
QString describeCurve(const model::EffectCurve& curve, double actual);

} // namespace quadric::widgets
