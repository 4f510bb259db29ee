// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/whole_ticks.h"

#include "widgets/base/theme.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kMostTicks = 10;
constexpr double kTolerance = 1e-9;

bool isWhole(const Tick& tick)
{
    return std::abs(tick.value - std::round(tick.value)) < kTolerance;
}

} // namespace

std::vector<Tick> wholeTicks(const AxisScale& scale)
{
    std::vector<Tick> ticks = ticksOf(scale, kMostTicks);
    if (std::ranges::all_of(ticks, isWhole))
        return {};
    std::erase_if(ticks, [](const Tick& tick) { return !isWhole(tick); });
    for (Tick& tick : ticks)
        tick.label = formatNumber(std::round(tick.value)); // without the decimals of those between
    return ticks;
}

} // namespace quadric::widgets
