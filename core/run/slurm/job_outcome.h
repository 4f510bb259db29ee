// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/slurm/job_status.h"
#include "core/run/worker/run_outcome.h"

#include <filesystem>

namespace quadric::run {

/// How near to a silence or a start of the controller a job has to end to have ended by it.
inline constexpr double kForsakenSeconds = 60.0;

/// Where a job ended that has not come beyond its setup.
struct SetupStep {
    std::string line;   ///< as the study has it; empty: none was executed
    std::string errors; ///< what it has written on standard error
};

/// The line with this number, from 1; empty for 0.
std::string lineOfSetup(const std::vector<std::string>& setup, int number);

/// Everything that is known about a job that has ended.
struct JobEvidence {
    std::string id;
    std::optional<JobRecord> record; ///< Slurm's; empty when it has forgotten the job or does not answer
    std::optional<JobEnd> end;       ///< the job's own
    std::optional<int> rankStatus;   ///< exit status of the rank that failed first, where srun named one
    double seconds = 0.0;            ///< for how long it was seen to execute
    std::filesystem::path folder;    ///< of the job
    std::optional<double> tooMuchMib = {}; ///< the limit of what it may print, where it was exceeded
    std::optional<SetupStep> setup = {};
    bool wasForsaken = false; ///< within a minute Slurm's controller was away or started
};

/// An end of this kind, without more to say about it.
WorkerExit exitOf(WorkerExit::Kind kind, double seconds = 0.0);

/// The job ended within a minute of a start of the controller that it has lived through.
bool endedByStart(const JobRecord& record, std::optional<double> controllerStart);

/// How the worker ended. What Slurm says comes before what the script says: after the loss of a node a script
/// can end with status 0.
WorkerExit outcomeOf(const JobEvidence& evidence);

/// The status in a line of srun such as "srun: error: n1: task 5: Exited with exit code 7"; empty for any
/// other line.
std::optional<int> rankStatusIn(std::string_view line);

/// A line in which Slurm tells that a step or one of its tasks has ended, after what the program said itself.
bool tellsOnlyTheEnd(std::string_view line);

} // namespace quadric::run
