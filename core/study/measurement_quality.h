// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

/// How far the samples inside single runs scatter, for one response.
struct ResponseSpread {
    std::string response;
    int runs = 0;         ///< done runs that have a spread
    double median = 0.0;  ///< of spread over |result|, per cent
    double largest = 0.0; ///< the same, per cent
    int largestRun = 0;   ///< id of the run that has it
    std::string meaning;  ///< what the spread is, as the first run says ("half width …"); may be empty
};

/// A run that gave no result that counts, and why.
struct LostRun {
    int run = 0;
    RunStatus status = RunStatus::Failed; ///< Failed or Excluded
    std::string kind;                     ///< of the failure
    std::string reason;                   ///< in words; may be empty
};

/// A run whose result is no fair comparison (isDisturbed).
struct DisturbedRun {
    int run = 0;
    std::string reason; ///< in words; may be empty
};

/// How much devices held themselves back, for whatever reason; alone it makes no run disturbed, because a
/// device at its power limit is in its normal state under load.
struct Throttling {
    int runs = 0;         ///< done runs with any
    double largest = 0.0; ///< largest share of a run's time, per cent
    int largestRun = 0;   ///< id of the run that has it
};

/// What the runs themselves say of how well they were measured: spread inside runs, failures, disturbance.
/// Drift between runs is judged by the models (model::ResidualChecks).
struct MeasurementQuality {
    int done = 0;
    std::vector<ResponseSpread> spreads; ///< of responses with at least one, in the study's order
    std::vector<LostRun> lost;           ///< in run order
    std::vector<DisturbedRun> disturbed; ///< done ones, in run order
    Throttling throttling;
};

/// From the provenance of the runs (docs/worker-protocol.md).
MeasurementQuality measurementQuality(const Study& study);

} // namespace quadric::study
