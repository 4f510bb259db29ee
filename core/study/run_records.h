// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <algorithm>
#include <vector>

namespace quadric::study {

/// The middle of the values, or the mean of the two in the middle. There is at least one.
inline double computeMedian(std::vector<double> values)
{
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

/// Takes the baseline in, in the place of an earlier record with its id.
void insertOrReplaceBaseline(Study& study, const Run& baseline);

/// What a study is without anything that is executed; most questions about it need no more, and the runs are
/// nearly all of its size.
Study withoutRuns(Study study);

/// The study's runs, and then its baselines: everything that is executed.
std::vector<Run> allRuns(const Study& study);

/// The trainer's setting that the factor stands for: what it binds, or its own name, as the trainer
/// understands it.
std::string trainerSettingOf(const Factor& factor);

/// The value that the baseline has for a factor; null where one rank alone does not depend on it.
const Value* findBaselineSetting(const Run& baseline, const Factor& factor);

/// What a runner that is no more had in its hands waits again, runs as well as baselines.
void resetRunningRuns(Study& study);

/// The largest id of a run or a baseline, 0 where there are none. New runs go on from here.
int largestRunId(const Study& study);

/// Whether the numbers of Run::order say in which order the runs were made. Those of an imported table
/// without a column for it count its lines, as the ids do: a standard order, say, from which nothing follows.
bool isRunOrderKnown(const Study& study);

/// The run was ended on request: it has no result, and nothing is wrong with its settings. In the study file
/// it has failed with the kind "cancelled".
bool isCancelled(const Run& run);

/// The cluster took the run away: a node died, the job was requeued, preempted or lost.
bool isTakenByCluster(const Run& run);

/// The run failed for reasons that say nothing of its settings: it was cancelled, the cluster took it away,
/// or what every run needs (program, preparation, device, disk, a place in the queue) was not there.
bool isFailureOfSurroundings(const Run& run);

/// The run failed by what was run (out of memory, time limit, crash, wrong output, …): the same setting would
/// fail again. What a repetition mends, such as a lost rank, is none.
bool isFailureOfSettings(const Run& run);

/// Runs of the design that failed, without those that were cancelled.
int countFailed(const Study& study);
int countCancelled(const Study& study);

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
