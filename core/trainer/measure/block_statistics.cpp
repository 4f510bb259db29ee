// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/block_statistics.h"

#include "core/trainer/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::trainer {

namespace {

constexpr std::size_t kFewestBlocks = 10;
constexpr std::size_t kMostBlocks = 30;
constexpr std::size_t kStepsForBlocks = 2 * kFewestBlocks;
constexpr double kMsPerBlock = 500.0;
constexpr double kNegligibleDriftPct = 0.3;
constexpr double kDisturbingDriftPct = 1.0;

template <typename Summary>
std::vector<double> ofBlocks(std::span<const double> steps, const Summary& summary)
{
    const std::size_t count = blockCount(steps);
    std::vector<double> blocks;
    blocks.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = i * steps.size() / count;
        const std::size_t end = (i + 1) * steps.size() / count;
        blocks.push_back(summary(steps.subspan(begin, end - begin)));
    }
    return blocks;
}

} // namespace

std::size_t blockCount(std::span<const double> stepsMs)
{
    if (stepsMs.size() < kStepsForBlocks)
        return stepsMs.size();
    const double totalMs = std::accumulate(stepsMs.begin(), stepsMs.end(), 0.0);
    const double blocks = std::clamp(std::floor(totalMs / kMsPerBlock), static_cast<double>(kFewestBlocks),
                                     static_cast<double>(kMostBlocks));
    return std::min(static_cast<std::size_t>(blocks), stepsMs.size());
}

std::vector<double> blockMeans(std::span<const double> stepsMs)
{
    return ofBlocks(stepsMs, mean);
}

std::vector<double> blockMedians(std::span<const double> stepsMs)
{
    return ofBlocks(stepsMs, median);
}

std::optional<double> meanStepHalfWidth(std::span<const double> stepsMs)
{
    return meanHalfWidth(blockMeans(stepsMs));
}

std::optional<double> medianStepHalfWidth(std::span<const double> stepsMs)
{
    return meanHalfWidth(blockMedians(stepsMs));
}

bool Drift::isSettled() const
{
    return std::abs(percent) <= std::max(kNegligibleDriftPct, halfWidth);
}

bool Drift::disturbs() const
{
    return std::abs(percent) > std::max(kDisturbingDriftPct, halfWidth);
}

/// Least squares: with places x = 0 … k − 1, slope = Sxy/Sxx and s² = (Syy − slope·Sxy)/(k − 2).
std::optional<Drift> driftOf(std::span<const double> stepsMs)
{
    const std::vector<double> blocks = blockMeans(stepsMs);
    if (blocks.size() < 3)
        return std::nullopt;
    const auto count = static_cast<double>(blocks.size());
    const double center = mean(blocks);
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const double x = static_cast<double>(i) - (count - 1.0) / 2.0;
        const double y = blocks[i] - center;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    const double slope = xy / xx;
    const double error = std::sqrt(std::max(0.0, yy - slope * xy) / (count - 2.0) / xx);
    const double toPercent = 100.0 * count / center;
    return Drift{slope * toPercent, studentQuantile975(blocks.size() - 2) * error * toPercent};
}

} // namespace quadric::trainer
