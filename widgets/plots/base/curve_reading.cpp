// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/curve_reading.h"

#include "widgets/base/theme.h"
#include "widgets/plots/base/axis_scale.h"
#include "widgets/text/wording.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <vector>

namespace quadric::widgets {

namespace {

constexpr double kAxisSteps = 100.0; ///< of an axis that a value under the pointer is told in

std::optional<double> lerpAt(const std::vector<double>& values, std::size_t below, double t)
{
    if (below + 1 >= values.size())
        return below < values.size() ? std::optional(values[below]) : std::nullopt;
    return std::lerp(values[below], values[below + 1], t);
}

std::size_t nearestPoint(const model::EffectCurve& curve, double actual)
{
    const auto nearest = std::ranges::min_element(
        curve.actual, {}, [actual](double value) { return std::abs(value - actual); });
    return static_cast<std::size_t>(nearest - curve.actual.begin());
}

QString withUnitAfter(const QString& number, const std::string& unit)
{
    return unit.empty() ? number : number + QLatin1Char(' ') + QString::fromStdString(unit);
}

QString placeText(const model::EffectCurve& curve, double actual)
{
    const QString name = QString::fromStdString(curve.factor) + QLatin1Char(' ');
    const std::size_t nearest = nearestPoint(curve, actual);
    if (nearest < curve.categories.size())
        return name + QString::fromStdString(curve.categories[nearest]);
    const AxisScale axis{curve.actual.front(), curve.actual.back(), curve.isLog2};
    const double step = axis.actualAt(axis.fractionOf(actual) + 1.0 / kAxisSteps) - actual;
    return name + withUnitAfter(formatNumber(actual, std::abs(step)), curve.unit);
}

} // namespace

CurveReading readCurve(const model::EffectCurve& curve, double actual)
{
    const auto upper = std::ranges::upper_bound(curve.actual, actual);
    const auto above = static_cast<std::size_t>(upper - curve.actual.begin());
    const std::size_t below = std::min(above > 0 ? above - 1 : 0, curve.actual.size() - 1);
    double t = 0.0;
    if (below + 1 < curve.actual.size()) {
        const AxisScale step{curve.actual[below], curve.actual[below + 1], curve.isLog2};
        t = std::clamp(step.fractionOf(actual), 0.0, 1.0);
    }
    return {*lerpAt(curve.mean, below, t), lerpAt(curve.low, below, t), lerpAt(curve.high, below, t)};
}

QString describeCurve(const model::EffectCurve& curve, double actual)
{
    if (curve.actual.empty() || curve.mean.size() != curve.actual.size())
        return {};
    const std::size_t nearest = nearestPoint(curve, actual);
    const double at = curve.categories.empty() ? std::clamp(actual, curve.actual.front(), curve.actual.back())
                                               : curve.actual[nearest];
    const CurveReading reading = readCurve(curve, at);
    const QString name = QString::fromStdString(curve.response) + QLatin1Char(' ');
    QStringList lines{placeText(curve, at)};
    if (reading.low && reading.high)
        lines << name +
                     withUnitAfter(formatInterval(reading.mean, *reading.low, *reading.high),
                                   curve.responseUnit) +
                     tr(" (95 % interval of the mean)");
    else
        lines << name + withUnitAfter(formatNumber(reading.mean), curve.responseUnit);
    if (nearest < curve.isExtrapolation.size() && curve.isExtrapolation[nearest])
        lines << tr("extrapolated: outside the region covered by runs");
    return lines.join(QLatin1Char('\n'));
}

} // namespace quadric::widgets
