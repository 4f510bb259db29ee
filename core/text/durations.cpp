// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/numbers.h"
#include "core/text/time_unit.h"

#include <algorithm>
#include <cmath>

namespace quadric::text {

namespace {

constexpr long long kMinute = 60, kHour = 3600, kDay = 24 * kHour; // seconds
constexpr long long kFew = 2; ///< fewer of a unit are told in the smaller one
constexpr long long kFewDays = 4;

bool isDuration(double seconds)
{
    return seconds >= 0.0 && std::isfinite(seconds);
}

std::string twoDigits(long long number)
{
    return (number < 10 ? "0" : "") + std::to_string(number);
}

} // namespace

std::string formatDuration(double seconds)
{
    constexpr double kTenths = 9.95; // below, tenths of a second are shown
    if (!isDuration(seconds))
        return {};
    if (seconds < kTenths)
        return formatDecimals(seconds, 1) + " s";
    const long long whole = std::llround(seconds);
    if (whole < kMinute)
        return std::to_string(whole) + " s";
    if (whole < kHour)
        return std::to_string(whole / kMinute) + " min " + twoDigits(whole % kMinute) + " s";
    return std::to_string(whole / kHour) + " h " + twoDigits(whole / kMinute % kMinute) + " min";
}

std::string formatRoughDuration(double seconds)
{
    constexpr long long kFewSeconds = 90;
    if (!isDuration(seconds))
        return {};
    const long long whole = std::max(1LL, std::llround(seconds));
    if (whole < kFewSeconds)
        return std::to_string(whole) + " s";
    const long long minutes = (whole + kMinute / 2) / kMinute;
    if (minutes < kMinute)
        return std::to_string(minutes) + " min";
    return std::to_string(minutes / kMinute) + " h " + std::to_string(minutes % kMinute) + " min";
}

TimeUnit findTimeUnit(double longest)
{
    if (longest < kFew * kMinute)
        return {"s", 1.0};
    if (longest < kFew * kHour)
        return {"min", double(kMinute)};
    return longest < kFewDays * kDay ? TimeUnit{"h", double(kHour)} : TimeUnit{"d", double(kDay)};
}

} // namespace quadric::text
