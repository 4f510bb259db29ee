// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <vector>

namespace quadric::trainer {

namespace {

constexpr std::size_t kLargestExactCount = 1000; ///< beyond, the normal approximation is right to one rank
constexpr double kNormal975 = 1.959963984540054;

std::size_t exactLowerRank(std::size_t count)
{
    const double n = static_cast<double>(count);
    double cumulative = 0.0;
    std::size_t rank = 0;
    while (rank < count) {
        const double k = static_cast<double>(rank);
        cumulative +=
            std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0));
        if (cumulative > 0.025)
            break;
        ++rank;
    }
    return rank;
}

std::size_t approximateLowerRank(std::size_t count)
{
    const double n = static_cast<double>(count);
    return static_cast<std::size_t>(std::floor(n / 2.0 - kNormal975 * std::sqrt(n) / 2.0));
}

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

std::optional<RankPair> medianRanks(std::size_t count)
{
    const std::size_t rank =
        count <= kLargestExactCount ? exactLowerRank(count) : approximateLowerRank(count);
    if (rank == 0)
        return std::nullopt;
    return RankPair{rank, count + 1 - rank};
}

std::optional<Interval> medianInterval(std::span<const double> samples)
{
    const std::optional<RankPair> ranks = medianRanks(samples.size());
    if (!ranks)
        return std::nullopt;
    std::vector<double> values(samples.begin(), samples.end());
    const auto at = [&values](std::size_t rank) {
        const auto position = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
        std::ranges::nth_element(values, position);
        return *position;
    };
    return Interval{at(ranks->lower), at(ranks->upper)};
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

std::optional<double> meanHalfWidth(std::span<const double> samples)
{
    if (samples.size() < 2)
        return std::nullopt;
    const double n = static_cast<double>(samples.size());
    const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / n;
    double squares = 0.0;
    for (const double sample : samples)
        squares += (sample - mean) * (sample - mean);
    return studentQuantile975(samples.size() - 1) * std::sqrt(squares / (n - 1.0) / n);
}

} // namespace quadric::trainer
