// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_process.h"

#include <map>

namespace quadric::run {

/// How often a run is measured once more by itself, by the kind of what went wrong. Everything else (out of
/// memory, a limit of time, wrong output) would go wrong again and is never repeated.
struct RetryPolicy {
    int crash = 1;     ///< the worker, a rank or a node was lost
    int disturbed = 1; ///< measured, but something else was using the machine
};

/// What the study's benchmark says about its runs beyond the command (docs/running.md).
struct RunPolicy {
    RetryPolicy retry;
    RunLimits limits;
};

/// From `benchmark`: timeout_seconds, memory_mib, output_mib, retry. Throws RecipeError naming the field.
RunPolicy readRunPolicy(const study::Benchmark& benchmark);

/// Counts the attempts at each run and says which are repeated.
class Retries {
public:
    explicit Retries(RetryPolicy policy = {})
        : m_policy(policy)
    {
    }

    /// True when the run that ended with this record is to be measured once more; counts it then.
    bool repeats(const study::Run& ended);

private:
    struct Counts {
        int crash = 0;
        int disturbed = 0;
    };
    RetryPolicy m_policy;
    std::map<int, Counts> m_counts; ///< by id of the run
};

/// The record of a failed run that waits for its next attempt: pending, with what went wrong in the detail
/// `earlier_failure`.
study::Run pendingAgain(const study::Run& failed);

} // namespace quadric::run
