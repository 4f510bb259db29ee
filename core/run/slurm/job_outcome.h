// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/slurm/job_status.h"
#include "core/run/worker/run_outcome.h"

#include <filesystem>

namespace quadric::run {

/// Everything that is known about a job that has ended.
struct JobEvidence {
    std::string id;
    std::optional<JobRecord> record; ///< Slurm's; empty when it has forgotten the job or does not answer
    std::optional<JobEnd> end;       ///< the job's own
    std::optional<int> rankStatus;   ///< exit status of the rank that failed first, where srun named one
    double seconds = 0.0;            ///< for how long it was seen to execute
    std::filesystem::path folder;    ///< of the job
    std::optional<double> tooMuchMib = {}; ///< the limit of what it may print, where it was exceeded
};

/// An end of this kind, without more to say about it.
WorkerExit exitOf(WorkerExit::Kind kind, double seconds = 0.0);

/// How the worker ended. What Slurm says comes before what the script says: after the loss of a node a script
/// can end with status 0.
WorkerExit outcomeOf(const JobEvidence& evidence);

/// The status in a line of srun such as "srun: error: n1: task 5: Exited with exit code 7"; empty for any
/// other line.
std::optional<int> rankStatusIn(std::string_view line);

/// A line in which Slurm tells that a step or one of its tasks has ended, after what the program said itself.
bool tellsOnlyTheEnd(std::string_view line);

} // namespace quadric::run
