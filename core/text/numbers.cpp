// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/numbers.h"

#include <array>
#include <charconv>
#include <cmath>

namespace quadric::text {

namespace {

constexpr std::size_t kLongestList = 12;

/// Between these magnitudes an exact number is written without an exponent.
constexpr double kSmallestExact = 1e-5;
constexpr double kLargestExact = 1e15;

} // namespace

std::string formatExactly(double value)
{
    std::array<char, 64> buffer{};
    const double size = std::abs(value);
    const bool isPlain = value == 0.0 || (size >= kSmallestExact && size < kLargestExact);
    const auto format = isPlain ? std::chars_format::fixed : std::chars_format::scientific;
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0, format);
    return error == std::errc{} ? std::string(buffer.data(), end) : std::string();
}

std::string formatBriefly(double value)
{
    if (value == 0.0 || !std::isfinite(value))
        return formatExactly(0.0);
    const int digits = 2 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double scale = std::pow(10.0, std::abs(digits));
    return formatExactly(digits >= 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale);
}

std::string formatPClause(double p)
{
    return p < 0.001 ? "p < 0.001" : "p = " + formatExactly(std::round(p * 1000) / 1000);
}

std::string formatPercent(double share)
{
    return formatExactly(std::round(1000 * share) / 10) + " %";
}

std::string formatList(const std::vector<std::string>& items)
{
    std::string text;
    for (std::size_t i = 0; i < items.size() && i < kLongestList; ++i)
        text += (i == 0 ? "" : (i + 1 == items.size() ? " and " : ", ")) + items[i];
    return items.size() > kLongestList ? text + ", … (" + std::to_string(items.size()) + " in all)" : text;
}

std::string formatRuns(const std::vector<int>& runs)
{
    std::vector<std::string> names;
    names.reserve(runs.size());
    for (const int run : runs)
        names.push_back(std::to_string(run));
    return (runs.size() == 1 ? "run " : "runs ") + formatList(names);
}

} // namespace quadric::text
