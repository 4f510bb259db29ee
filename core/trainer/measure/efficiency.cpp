// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/efficiency.h"

#include <cmath>

namespace quadric::trainer {

namespace {
constexpr double kSecondsPerHour = 3600.0;
}

Efficiency scalingEfficiency(const Rate& together, const Rate& alone, int ranks)
{
    Efficiency result;
    result.percent = 100.0 * together.perSecond / (ranks * alone.perSecond);
    if (together.relativeHalfWidth && alone.relativeHalfWidth)
        result.halfWidth = result.percent * std::hypot(*together.relativeHalfWidth, *alone.relativeHalfWidth);
    return result;
}

bool isMeaningful(const Efficiency& efficiency)
{
    return !efficiency.halfWidth || 2.0 * *efficiency.halfWidth < efficiency.percent;
}

double secondsPerEpoch(double datasetImages, double imagesPerSecond)
{
    return datasetImages / imagesPerSecond;
}

double costPerEpoch(double secondsPerEpoch, int ranks, double pricePerRankHour)
{
    return secondsPerEpoch / kSecondsPerHour * ranks * pricePerRankHour;
}

} // namespace quadric::trainer
