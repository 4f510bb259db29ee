// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/axis_scale.h"

#include "widgets/base/theme.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

/// Between these, powers of two are short: 0.125, 65 536. Beyond, powers of ten are read sooner.
constexpr double kLeastPowerOfTwo = 0.1, kMostPowerOfTwo = 1e5;
constexpr double kTolerance = 1e-9; ///< of the range: a tick at the very end still counts as inside

double roundStep(double atLeast)
{
    const double decade = std::pow(10.0, std::floor(std::log10(atLeast)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * decade >= atLeast * (1.0 - kTolerance))
            return factor * decade;
    return 10.0 * decade;
}

std::vector<Tick> linearTicks(const AxisScale& scale, int most)
{
    const double range = scale.high - scale.low;
    double step = roundStep(range / std::max(most, 1));
    const auto count = [&] {
        return std::floor(scale.high / step + kTolerance) - std::ceil(scale.low / step - kTolerance) + 1.0;
    };
    while (count() > most)
        step = roundStep(step * 1.5);
    std::vector<Tick> ticks;
    const double first = std::ceil(scale.low / step - kTolerance);
    for (int i = 0; i < static_cast<int>(count()); ++i) {
        const double value = (first + i) * step;
        ticks.push_back({value, formatNumber(value, 10.0 * step)}); // decimals of the step itself
    }
    return ticks;
}

std::vector<double> powersOfTwo(const AxisScale& scale, double factor)
{
    const int first = static_cast<int>(std::ceil(std::log2(scale.low / factor) - kTolerance));
    const int last = static_cast<int>(std::floor(std::log2(scale.high / factor) + kTolerance));
    std::vector<double> values;
    for (int exponent = first; exponent <= last; ++exponent)
        values.push_back(std::ldexp(factor, exponent));
    return values;
}

/// These leading digits times powers of ten.
std::vector<double> decades(const AxisScale& scale, const std::vector<double>& digits)
{
    std::vector<double> values;
    const int last = static_cast<int>(std::floor(std::log10(scale.high) + kTolerance));
    for (int exponent = static_cast<int>(std::floor(std::log10(scale.low))); exponent <= last; ++exponent)
        for (const double digit : digits) {
            const double value = digit * std::pow(10.0, exponent);
            const double share = scale.fractionOf(value);
            if (share > -kTolerance && share < 1.0 + kTolerance)
                values.push_back(value);
        }
    return values;
}

std::vector<Tick> decadeTicks(const AxisScale& scale, int most)
{
    const std::size_t room = static_cast<std::size_t>(std::max(most, 1));
    std::vector<double> values;
    for (const std::vector<double>& digits : {std::vector{1.0, 2.0, 5.0}, {1.0, 3.0}, {1.0}}) {
        values = decades(scale, digits);
        if (values.size() <= room)
            break;
    }
    if (values.size() < 2)
        return linearTicks(scale, most);
    std::vector<Tick> ticks;
    for (std::size_t i = 0; i < values.size(); i += (values.size() + room - 1) / room)
        ticks.push_back({values[i], formatNumber(values[i])});
    return ticks;
}

std::vector<Tick> log2Ticks(const AxisScale& scale, int most)
{
    if (scale.low < kLeastPowerOfTwo || scale.high > kMostPowerOfTwo)
        return decadeTicks(scale, most);
    std::vector<double> values = powersOfTwo(scale, 1.0);
    if (values.size() < 3) {
        const std::vector<double> between = powersOfTwo(scale, 1.5);
        values.insert(values.end(), between.begin(), between.end());
        std::ranges::sort(values);
    }
    if (values.size() < 2)
        return linearTicks(scale, most);
    const std::size_t room = static_cast<std::size_t>(std::max(most, 1));
    std::size_t stride = (values.size() + room - 1) / room;
    for (std::size_t even = stride; even <= 2 * stride; ++even) // both ends get a tick where that is possible
        if ((values.size() - 1) % even == 0) {
            stride = even;
            break;
        }
    std::vector<Tick> ticks;
    for (std::size_t i = 0; i < values.size(); i += stride)
        ticks.push_back({values[i], formatNumber(values[i])});
    return ticks;
}

bool fitsSideBySide(const std::vector<Tick>& ticks, const AxisScale& scale, double length,
                    const QFontMetricsF& metrics)
{
    constexpr double kGap = 8.0;
    double end = -1e9;
    for (const Tick& tick : ticks) {
        const double width = metrics.horizontalAdvance(tick.label);
        const double start = scale.fractionOf(tick.value) * length - width / 2.0;
        if (start < end + kGap)
            return false;
        end = start + width;
    }
    return true;
}

/// Without the labels that would stick out farther at either end.
std::vector<Tick> dropOverhangingTicks(std::vector<Tick> ticks, const AxisScale& scale, double length,
                                       double overhang, const QFontMetricsF& metrics)
{
    std::erase_if(ticks, [&](const Tick& tick) {
        const double half = metrics.horizontalAdvance(tick.label) / 2.0;
        const double middle = scale.fractionOf(tick.value) * length;
        return middle - half < -overhang || middle + half > length + overhang;
    });
    return ticks;
}

} // namespace

double AxisScale::fractionOf(double actual) const
{
    if (isLog2)
        return std::log2(actual / low) / std::log2(high / low);
    return (actual - low) / (high - low);
}

double AxisScale::actualAt(double fraction) const
{
    if (isLog2)
        return low * std::exp2(fraction * std::log2(high / low));
    return low + fraction * (high - low);
}

AxisScale scaleOver(const std::vector<double>& values, bool isLog2, double margin)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (low > high)
        return {0.0, 1.0, false};
    if (isLog2 && low > 0.0) {
        const double grow = low == high ? 2.0 : std::exp2(margin * std::log2(high / low));
        return {low / grow, high * grow, true};
    }
    const double flat = low == 0.0 ? 1.0 : std::abs(low) * 0.05;
    const double grow = high - low <= std::abs(low) * 1e-12 ? flat : margin * (high - low);
    return {low - grow, high + grow, false};
}

std::vector<Tick> chooseTicks(const AxisScale& scale, int most)
{
    return scale.isLog2 ? log2Ticks(scale, most) : linearTicks(scale, most);
}

std::vector<Tick> horizontalTicks(const AxisScale& scale, double length, const QFontMetricsF& metrics,
                                  double overhang)
{
    for (int most = std::clamp(static_cast<int>(length / 26.0), 2, 10); most > 1; --most) {
        std::vector<Tick> ticks =
            dropOverhangingTicks(chooseTicks(scale, most), scale, length, overhang, metrics);
        if (ticks.size() > 1 && fitsSideBySide(ticks, scale, length, metrics))
            return ticks;
    }
    std::vector<Tick> ticks = dropOverhangingTicks(chooseTicks(scale, 2), scale, length, overhang, metrics);
    if (ticks.empty())
        ticks = chooseTicks(scale, 2);
    ticks.resize(std::min<std::size_t>(ticks.size(), 1));
    return ticks;
}

std::vector<Tick> verticalTicks(const AxisScale& scale, double length, const QFontMetricsF& metrics)
{
    constexpr int kMost = 9;
    const int wanted = std::clamp(static_cast<int>(length / (metrics.height() * 1.9)), 2, kMost);
    constexpr double kDigitHeight = 0.8; // of a line
    const int room = std::clamp(static_cast<int>(length / (kDigitHeight * metrics.height())), wanted, kMost);
    std::vector<Tick> ticks = chooseTicks(scale, wanted);
    for (int most = wanted + 1; ticks.size() < 2 && most <= room; ++most) // one alone says nothing of a scale
        ticks = chooseTicks(scale, most);
    return ticks;
}

} // namespace quadric::widgets
