// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/contention.h"
#include "core/trainer/exchange/engine.h"
#include "core/trainer/measure/stage_rule.h"

#include <nlohmann/json.hpp>

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

/// Everything that a finished run knows, on rank 0.
struct RunRecord {
    Workload workload;
    EngineFacts engine;
    StageResult together;
    std::optional<StageResult> baseline; ///< one rank alone, in the same session; see makeBaselineWorkload()
    machine::Contention contention;      ///< while all ranks were measured
    machine::Contention baselineContention; ///< while one rank was measured
    double meanLoss = 0.0;                  ///< over the ranks, in the last step
    std::optional<double> trainedLoss;      ///< over the ranks, after kTrainingSteps
    double peakMemoryMib = 0.0;             ///< sum over the ranks
    std::optional<double> joules;           ///< energy of all devices while all ranks were measured
    double memoryEstimateMib = 0.0;         ///< the same, as it was expected before the run
    double setUpSeconds = 0.0; ///< of the run outside its stages: starting, connecting, making engines
};

/// Images of all ranks over the total time of the measured steps.
double imagesPerSecond(const StageResult& stage, const Workload& workload);

/// The `result` event: responses, their spread (half width of the 95 % interval) and provenance.
nlohmann::json resultEvent(const RunRecord& record);

} // namespace quadric::trainer
