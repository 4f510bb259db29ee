// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/statistics.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

namespace quadric::trainer {

namespace {

constexpr double kNormal975 = 1.959963984540054;

} // namespace

double quantile(std::span<const double> samples, double probability)
{
    std::vector<double> values(samples.begin(), samples.end());
    const double position = probability * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(std::floor(position));
    const auto lower = values.begin() + below;
    std::ranges::nth_element(values, lower);
    if (lower + 1 == values.end())
        return *lower;
    const double next = *std::min_element(lower + 1, values.end());
    return *lower + (position - static_cast<double>(below)) * (next - *lower);
}

double median(std::span<const double> samples)
{
    return quantile(samples, 0.5);
}

double studentQuantile975(std::size_t degreesOfFreedom)
{
    constexpr double kFew[] = {12.706204736, 4.302652730, 3.182446305, 2.776445105};
    if (degreesOfFreedom >= 1 && degreesOfFreedom <= std::size(kFew))
        return kFew[degreesOfFreedom - 1];
    const double v = static_cast<double>(degreesOfFreedom);
    const double x = kNormal975;
    const double x3 = x * x * x, x5 = x3 * x * x, x7 = x5 * x * x;
    return x + (x3 + x) / (4 * v) + (5 * x5 + 16 * x3 + 3 * x) / (96 * v * v) +
           (3 * x7 + 19 * x5 + 17 * x3 - 15 * x) / (384 * v * v * v);
}

double mean(std::span<const double> samples)
{
    return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double standardErrorOfMean(std::span<const double> samples)
{
    const double center = mean(samples);
    double squares = 0.0;
    for (const double sample : samples)
        squares += (sample - center) * (sample - center);
    const auto n = static_cast<double>(samples.size());
    return std::sqrt(squares / (n - 1.0) / n);
}

std::optional<double> meanHalfWidth(std::span<const double> samples)
{
    if (samples.size() < 2)
        return std::nullopt;
    return studentQuantile975(samples.size() - 1) * standardErrorOfMean(samples);
}

} // namespace quadric::trainer
