// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler/desirability_handles.h"

#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kRoomBeside = 0.22;  ///< of the range of the limits, at both ends
constexpr double kHandleReach = 14.0; ///< pixels beside a limit's handle
constexpr double kShapeReach = 10.0;  ///< pixels around an exponent's handle
constexpr double kShapeStep = 0.05;

double& desirabilityEntry(optimize::Desirability& desirability, CurveHandle handle)
{
    switch (handle) {
    case CurveHandle::Low:
        return desirability.low;
    case CurveHandle::ShapeBelow:
        return desirability.shapeBelow;
    case CurveHandle::Target:
        return desirability.target;
    case CurveHandle::ShapeAbove:
        return desirability.shapeAbove;
    default:
        return desirability.high;
    }
}

/// Rounds to a five-hundredth of the axis, to a figure that reads well.
double rounded(const AxisScale& scale, double value)
{
    const double fine = (scale.high - scale.low) / 500.0;
    const double step = std::pow(10.0, std::floor(std::log10(fine)));
    return std::round(value / step) * step;
}

/// Limits keep a little apart from their neighbors, so that each can be taken hold of again.
double clampBetweenNeighbors(const optimize::Desirability& desirability, CurveHandle handle, double value,
                             const AxisScale& scale)
{
    std::vector<CurveHandle> limits = listCurveHandles(desirability.goal);
    std::erase_if(limits, isShape);
    const auto place = std::ranges::find(limits, handle);
    const double gap = (scale.high - scale.low) / 200.0;
    if (place != limits.begin())
        value = std::max(value, valueOf(desirability, *(place - 1)) + gap);
    if (place != limits.end() && place + 1 != limits.end())
        value = std::min(value, valueOf(desirability, *(place + 1)) - gap);
    return value;
}

} // namespace

std::vector<CurveHandle> listCurveHandles(study::Goal goal)
{
    switch (goal) {
    case study::Goal::Maximize:
        return {CurveHandle::Low, CurveHandle::ShapeBelow, CurveHandle::High};
    case study::Goal::Minimize:
        return {CurveHandle::Low, CurveHandle::ShapeAbove, CurveHandle::High};
    case study::Goal::Target:
        return {CurveHandle::Low, CurveHandle::ShapeBelow, CurveHandle::Target, CurveHandle::ShapeAbove,
                CurveHandle::High};
    case study::Goal::None:
        break;
    }
    return {};
}

bool isShape(CurveHandle handle)
{
    return handle == CurveHandle::ShapeBelow || handle == CurveHandle::ShapeAbove;
}

QString nameOf(CurveHandle handle)
{
    switch (handle) {
    case CurveHandle::Low:
        return tr("lower limit");
    case CurveHandle::Target:
        return tr("target");
    case CurveHandle::High:
        return tr("upper limit");
    default:
        return tr("exponent");
    }
}

double valueOf(const optimize::Desirability& desirability, CurveHandle handle)
{
    optimize::Desirability copy = desirability;
    return desirabilityEntry(copy, handle);
}

optimize::Desirability withHandleAt(optimize::Desirability desirability, CurveHandle handle, double value,
                                    const AxisScale& scale, bool isExact)
{
    if (isShape(handle)) {
        const double shape = isExact ? value : std::round(value / kShapeStep) * kShapeStep;
        value = std::clamp(shape, kLeastShape, kMostShape);
    } else {
        value = clampBetweenNeighbors(desirability, handle, value, scale);
        value = isExact ? value : rounded(scale, value);
    }
    desirabilityEntry(desirability, handle) = value;
    return desirability;
}

AxisScale curveScale(const optimize::Desirability& desirability, std::optional<double> predicted)
{
    std::vector<double> values{desirability.low, desirability.high};
    if (desirability.goal == study::Goal::Target)
        values.push_back(desirability.target);
    AxisScale scale = scaleOver(values, false, kRoomBeside);
    if (predicted && std::isfinite(*predicted)) {
        const double beside = 0.04 * (scale.high - scale.low);
        scale.low = std::min(scale.low, *predicted - beside);
        scale.high = std::max(scale.high, *predicted + beside);
    }
    return scale;
}

QPointF pointOnDesirability(const optimize::Desirability& desirability, const AxisScale& scale,
                            const QRectF& area, double value)
{
    const double d = optimize::valueOf(desirability, value);
    return {area.left() + scale.fractionOf(value) * area.width(), area.bottom() - d * area.height()};
}

QPointF pointOnDesirability(const optimize::Desirability& desirability, const AxisScale& scale,
                            const QRectF& area, CurveHandle handle)
{
    const bool isTarget = desirability.goal == study::Goal::Target;
    if (handle == CurveHandle::ShapeBelow)
        return pointOnDesirability(desirability, scale, area,
                                   (desirability.low + (isTarget ? desirability.target : desirability.high)) /
                                       2.0);
    if (handle == CurveHandle::ShapeAbove)
        return pointOnDesirability(desirability, scale, area,
                                   ((isTarget ? desirability.target : desirability.low) + desirability.high) /
                                       2.0);
    return pointOnDesirability(desirability, scale, area, valueOf(desirability, handle));
}

double valueUnder(const AxisScale& scale, const QRectF& area, CurveHandle handle, QPointF position)
{
    if (!isShape(handle))
        return scale.actualAt(std::clamp((position.x() - area.left()) / area.width(), 0.0, 1.0));
    // Half way the desirability is a half to the power of the exponent.
    const double d = std::clamp((area.bottom() - position.y()) / area.height(), 1e-4, 1.0 - 1e-4);
    return std::log(d) / std::log(0.5);
}

std::optional<CurveHandle> handleNear(const optimize::Desirability& desirability, const AxisScale& scale,
                                      const QRectF& area, QPointF position)
{
    std::optional<CurveHandle> nearest;
    double reach = kHandleReach;
    for (const CurveHandle handle : listCurveHandles(desirability.goal)) {
        const QPointF away = pointOnDesirability(desirability, scale, area, handle) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (isShape(handle) && distance <= kShapeReach)
            return handle;
        if (!isShape(handle) && std::abs(away.x()) <= reach) {
            reach = std::abs(away.x());
            nearest = handle;
        }
    }
    return nearest;
}

} // namespace quadric::widgets
