// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/histogram.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

constexpr double kRoundingOfBins = 1e-9; ///< of a bin's width

/// 1, 2 or 5 times a power of ten, at least this wide.
double roundWidth(double width)
{
    const double power = std::pow(10.0, std::floor(std::log10(width)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (width <= step * power * (1.0 + kRoundingOfBins))
            return step * power;
    }
    return 10.0 * power;
}

} // namespace

Histogram histogram(const std::vector<double>& values)
{
    std::vector<double> finite;
    std::ranges::copy_if(values, std::back_inserter(finite), [](double v) { return std::isfinite(v); });
    if (finite.empty())
        return {};
    const auto [low, high] = std::ranges::minmax(finite);
    const double bins = std::ceil(1.0 + std::log2(static_cast<double>(finite.size())));
    const double fallback = low == 0.0 ? 1.0 : std::abs(low) * 0.1;
    const double width = roundWidth(high > low ? (high - low) / bins : fallback);
    const double first = std::floor(low / width + kRoundingOfBins) * width;
    const auto count =
        static_cast<std::size_t>(std::max(1.0, std::ceil((high - first) / width - kRoundingOfBins)));
    Histogram histogram;
    histogram.counts.assign(count, 0);
    for (std::size_t edge = 0; edge <= count; ++edge)
        histogram.edges.push_back(first + static_cast<double>(edge) * width);
    for (const double value : finite) {
        const auto bin =
            static_cast<std::size_t>(std::max(0.0, std::floor((value - first) / width + kRoundingOfBins)));
        ++histogram.counts[std::min(bin, count - 1)];
    }
    return histogram;
}

} // namespace quadric::model
