// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"
#include "core/plan/queue/queue_comparison.h"

namespace quadric::app {

/// Everything that `plan queue` was asked for.
struct QueueReport {
    double rate = 0.0; ///< jobs a second
    int jobs = 0;      ///< that were simulated
    std::uint64_t seed = 1;
    std::vector<plan::QueueAnswer> systems = {};
    std::vector<std::optional<plan::Estimate>> differences = {}; ///< of the first system minus each other
    std::optional<double> turningRate = {};                      ///< of the first two systems
    std::optional<double> price = {};                            ///< of an hour of waiting of one job
    std::vector<plan::VariabilityRow> table = {};                ///< of the first two systems
};

/// {"value", "low", "high"}, or null.
Json estimateJson(const std::optional<plan::Estimate>& estimate);

Json queueJson(const QueueReport& report);
void printQueue(const QueueReport& report);

} // namespace quadric::app
