// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_process.h"

namespace quadric::run {

/// How often a run is measured once more by itself, by the kind of what went wrong. Everything else (out of
/// memory, a limit of time, wrong output) would go wrong again and is never repeated.
struct RetryPolicy {
    int crash = 1;     ///< the worker, a rank or a device was lost
    int cluster = 3;   ///< the cluster took the job away: a node that died, preemption, requeue
    int disturbed = 1; ///< measured, but something else was using the machine
};

/// Where the speed of one rank comes from, to which the scaling efficiency of others is related. Only the
/// built-in workload has baselines.
enum class BaselineMode {
    Shared, ///< a run of its own, for all runs that need the same
    Own,    ///< each run measures its own
    Off     ///< nobody measures it, there is no scaling efficiency
};

/// `benchmark.baseline`: "shared" where it says nothing. Throws RecipeError.
BaselineMode baselineModeOf(const study::Benchmark& benchmark);

/// The study with that mode.
study::Study withBaselineMode(study::Study study, BaselineMode mode);

/// What the study's benchmark says about its runs beyond the command (docs/running.md).
struct RunPolicy {
    RetryPolicy retry;
    RunLimits limits;
    BaselineMode baseline = BaselineMode::Shared;
};

/// From `benchmark`: timeout_seconds, memory_mib, output_mib, retry, baseline. Throws RecipeError naming the
/// field.
RunPolicy readRunPolicy(const study::Benchmark& benchmark);

/// True when the run that ended with this record is to be measured once more; counts that in its `repeats`
/// then, which the record keeps from attempt to attempt, whoever executes it.
bool grantRepetition(study::Run& ended, const RetryPolicy& policy);

/// True for a run that is done and was granted a repetition which nobody has made yet.
bool isRepetitionOwed(const study::Run& run);

/// The record with which the next attempt at a run begins: pending, with its number in `attempt`. An attempt
/// at a run that has ended and was granted none is one that the user asks for.
study::Run nextAttempt(const study::Run& known);

/// The record of a run whose repetition brought nothing better: none is owed any more.
study::Run withoutOwed(study::Run run);

/// The record of a failed run that waits for its next attempt: pending, with what went wrong in the detail
/// `earlier_failure`.
study::Run pendingAgain(const study::Run& failed);

} // namespace quadric::run
