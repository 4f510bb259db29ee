// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/run_files.h"

namespace quadric::run {

/// What is drawn over the time of a run.
enum class Quantity {
    Throughput,  ///< of each second: items per second of step time, or where they are not told, steps
    StepTime,    ///< milliseconds
    Power,       ///< watts, of all GPUs of the run on all its nodes
    Clock,       ///< MHz, mean of the GPUs or of the processor's cores
    Temperature, ///< °C, of the hottest GPU or of the processor
    ForeignLoad  ///< share of the cores that other processes use, in per cent, of the worst node
};

struct TimePoint {
    double seconds = 0.0; ///< since the run was started
    double value = 0.0;
    bool operator==(const TimePoint&) const = default;
};

/// What the throughput counts: "img", "items" where the worker does not say of what, "steps" where it tells
/// no items of each step.
std::string throughputUnit(const RunSamples& samples);

/// The values of a response that the program has printed over time, oldest first; thinned as below.
std::vector<TimePoint> makeResponseSeries(const RunSamples& samples, const std::string& response,
                                          std::size_t most = 600);

/// The quantity over time, oldest first; empty where nobody tells it. With more than `most` points,
/// neighbors are replaced by their mean.
std::vector<TimePoint> makeTimeSeries(const RunSamples& samples, Quantity quantity, std::size_t most = 600);

} // namespace quadric::run
