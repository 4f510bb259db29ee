// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"
#include "widgets/plots/base/axis_scale.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

namespace quadric::widgets {

/// What can be taken hold of on a desirability curve: its limits and target, and the exponents, whose handles
/// stand half way between them.
enum class CurveHandle { Low, ShapeBelow, Target, ShapeAbove, High };

inline constexpr double kLeastShape = 0.1, kMostShape = 10.0; ///< of an exponent

/// From left to right; none without a goal.
std::vector<CurveHandle> listCurveHandles(study::Goal goal);
bool isShape(CurveHandle handle);
QString nameOf(CurveHandle handle);

/// The limit (response's own unit) or the exponent.
double valueOf(const optimize::Desirability& desirability, CurveHandle handle);

/// The desirability with this handle at about `value`: limits keep their order, exponents stay between a
/// tenth and ten. Unless `isExact`, both are rounded to what a hand on the axis can mean.
optimize::Desirability withHandleAt(optimize::Desirability desirability, CurveHandle handle, double value,
                                    const AxisScale& scale, bool isExact = false);

/// The axis over which a curve is drawn: all limits with room beside them, and the prediction.
AxisScale curveScale(const optimize::Desirability& desirability, std::optional<double> predicted);

/// Where a response value, or a handle, stands in the area of a curve.
QPointF pointOnDesirability(const optimize::Desirability& desirability, const AxisScale& scale,
                            const QRectF& area, double value);
QPointF pointOnDesirability(const optimize::Desirability& desirability, const AxisScale& scale,
                            const QRectF& area, CurveHandle handle);

/// The value that a handle dragged to `position` asks for.
double valueUnder(const AxisScale& scale, const QRectF& area, CurveHandle handle, QPointF position);

/// The handle that a press at `position` takes hold of.
std::optional<CurveHandle> handleNear(const optimize::Desirability& desirability, const AxisScale& scale,
                                      const QRectF& area, QPointF position);

} // namespace quadric::widgets
