// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::text {

namespace {

constexpr double kSignificance = 0.05; ///< the limit that readers hold a p value against

/// Below the limit and yet shown as the limit.
bool readsAsLimit(double p, int decimals)
{
    const double scale = std::pow(10.0, decimals);
    return p < kSignificance && std::round(p * scale) / scale >= kSignificance;
}

/// A rounded percentage that says "all" or "nothing" of a share that is neither.
bool hidesRest(double share, double percent)
{
    return (share < 1.0 && percent >= 100.0) || (share > 0.0 && percent <= 0.0);
}

std::string trimmedPercent(double percent, int decimals, Typography typography)
{
    const double size = std::abs(percent);
    const int whole = size < 1.0 ? 0 : static_cast<int>(std::log10(size)) + 1;
    return formatDigits(percent, std::max(1, whole + decimals), typography) + " %";
}

} // namespace

std::string formatP(double p)
{
    if (!std::isfinite(p))
        return std::string(kNothing);
    if (p < 0.0001)
        return "< 0.0001";
    if (p > 0.99)
        return "> 0.99";
    if (readsAsLimit(p, 3))
        return "< 0.05";
    const int leadingZeros = -static_cast<int>(std::floor(std::log10(p)));
    const bool roundsUp = std::round(p * std::pow(10.0, leadingZeros + 1)) >= 100.0; // 0.0996 reads 0.10
    return formatDecimals(p, roundsUp ? leadingZeros : leadingZeros + 1);
}

std::string formatPClause(double p)
{
    if (p < 0.001)
        return "p < 0.001";
    if (readsAsLimit(p, 3))
        return "p < 0.05";
    if (p >= 0.9995 && p < 1.0)
        return "p > 0.999";
    return "p = " + formatExactly(std::round(p * 1000) / 1000);
}

std::string formatPower(double power)
{
    constexpr double kUsual = 80.0, kAll = 100.0; // percent
    constexpr double kRounding = 1e-9;            // 100 × 0.8 may be a little less than 80
    if (!std::isfinite(power))
        return std::string(kNothing);
    const double percent = 100.0 * power + kRounding;
    double shown = std::round(percent);
    if (shown == kAll && percent < kAll)
        return "> 99 %";
    if (shown == kUsual && percent < kUsual)
        shown -= 1.0;
    return formatDecimals(shown, 0) + " %";
}

std::string formatShare(double share, int decimals, Typography typography)
{
    constexpr int kMoreDecimals = 2;
    int shown = decimals;
    const auto isRounded = [&](double to) {
        const double scale = std::pow(10.0, shown);
        return share != to && std::round(share * scale) / scale == to;
    };
    while (shown < decimals + kMoreDecimals && (isRounded(1.0) || isRounded(0.0)))
        ++shown;
    const double step = std::pow(10.0, -shown);
    const double told = isRounded(1.0) && share < 1.0 ? 1.0 - step : share; // never all where it is less
    return formatDecimals(told, shown, typography);
}

std::string formatPercent(double share, int decimals, Typography typography)
{
    if (!std::isfinite(share))
        return std::string(kNothing);
    constexpr int kMoreDecimals = 2; // where fewer would hide that it is neither all nor nothing
    for (int shown = decimals; shown <= decimals + kMoreDecimals; ++shown) {
        const double scale = std::pow(10.0, shown);
        const double percent = std::round(100.0 * scale * share) / scale;
        if (!hidesRest(share, percent))
            return trimmedPercent(percent, shown, typography);
    }
    const double step = std::pow(10.0, -decimals - kMoreDecimals);
    return share < 0.5 ? "< " + trimmedPercent(step, decimals + kMoreDecimals, typography)
                       : "> " + trimmedPercent(100.0 - step, decimals + kMoreDecimals, typography);
}

} // namespace quadric::text
