// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_samples.h"

namespace quadric::run {

/// What is drawn over the time of a run.
enum class Quantity {
    Throughput,  ///< steps per second: 1000 / mean step time of each second
    StepTime,    ///< milliseconds
    Power,       ///< watts, of all GPUs of the run
    Clock,       ///< MHz, mean of the GPUs or of the processor's cores
    Temperature, ///< °C, of the hottest GPU or of the processor
    ForeignLoad  ///< share of the processor's cores that other processes use, in per cent
};

struct TimePoint {
    double seconds = 0.0; ///< since the run was started
    double value = 0.0;
    bool operator==(const TimePoint&) const = default;
};

/// The quantity over time, oldest first; empty where nobody tells it. With more than `most` points,
/// neighbours are replaced by their mean.
std::vector<TimePoint> seriesOf(const RunSamples& samples, Quantity quantity, std::size_t most = 600);

} // namespace quadric::run
