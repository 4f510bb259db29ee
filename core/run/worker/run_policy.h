// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string>

namespace quadric::run {

/// What one run may use before it is ended.
struct RunLimits {
    double seconds = 600.0;
    double memoryMib = 0.0;    ///< see machine::proportionalMemoryMib(); 0: no limit
    double outputMib = 1024.0; ///< printed on standard output and standard error together
};

/// Which limit of this process keeps it from starting a run, in one sentence; empty: none. It has to open
/// some dozen files for each, and to write logs and records.
std::string findLimitInTheWay();

/// From `benchmark`: timeout_seconds, memory_mib, output_mib (docs/running.md).
RunLimits limitsOf(const study::Benchmark& benchmark);

/// True when the run that ended with this record is to be measured once more; counts that in its `repeats`
/// then, which the record keeps from attempt to attempt, whoever executes it.
bool grantRepetition(study::Run& ended, const study::RetryPolicy& policy);

/// True for a run that is done and was granted a repetition which nobody has made yet.
bool needsRepetition(const study::Run& run);

/// The record with which the next attempt at a run begins: pending, with its number in `attempt`. An attempt
/// at a run that has ended and was granted none is one that the user asks for.
study::Run nextAttempt(const study::Run& known);

/// The record of a run whose repetition brought nothing better: none is owed any more.
study::Run cancelRepetition(study::Run run);

/// The record of a disturbed run without the repetition that it was granted and nobody has made.
study::Run withdrawRepetition(study::Run disturbed);

/// The record of a failed run that waits for its next attempt: pending, with what went wrong in the detail
/// `earlier_failure`.
study::Run resetForRetry(const study::Run& failed);

} // namespace quadric::run
