// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace quadric::trainer {

/// A rate with the half width of its 95 % interval relative to it, where that is known.
struct Rate {
    double perSecond = 0.0;
    std::optional<double> relativeHalfWidth;
};

struct Efficiency {
    double percent = 0.0;
    std::optional<double> halfWidth; ///< of the 95 % interval, percentage points
};

/// Scaling efficiency of N ranks in per cent, from images per second: 100 X_N / (N X_1). It is the weak one
/// when one rank had the batch of each rank, the strong one t_1/(N t_N) when it had all their work. The
/// errors of both rates add as independent ones (delta method).
Efficiency scalingEfficiency(const Rate& together, const Rate& alone, int ranks);

/// Its interval neither includes nothing nor is wider than what it belongs to.
bool isMeaningful(const Efficiency& efficiency);

/// Seconds for a whole data set at that speed.
double secondsPerEpoch(double datasetImages, double imagesPerSecond);

/// Price of an epoch, in the currency of the price of one rank for an hour.
double costPerEpoch(double secondsPerEpoch, int ranks, double pricePerRankHour);

} // namespace quadric::trainer
