// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

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

} // namespace quadric::study
