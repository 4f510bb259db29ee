// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/record.h"
#include "core/run/slurm/job_status.h"
#include "core/run/words/run_files.h"
#include "core/run/words/worker_protocol.h"
#include "core/run/worker/run_outcome.h"
#include "core/study/study.h"

#include <filesystem>
#include <map>

namespace quadric::run {

/// The folder that a job and Quadric share: script, output, and the file that the job writes when it ends.
class JobFolder {
public:
    /// `name` is the name of the job. The folder lies beside the study's logs; nothing is made yet.
    JobFolder(const std::filesystem::path& document, const std::string& name);

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path script() const { return m_path / "job.sh"; }

    /// A file of the job, read while it grows. Of very much that has come at once the beginning is left out.
    FileTail openTail(const std::filesystem::path& file) const;

    /// Makes the folder and writes the script, anew: what is submitted is never what somebody else has put
    /// there. Throws DocumentError, also where the job would write through what is there.
    void write(const std::string& text) const;

    /// The job that executes the run, as it says itself; empty before it has started.
    std::string claim() const { return parseJobId(readNote("claim")); }

    /// What the job wrote when it ended; empty before.
    std::optional<JobEnd> end() const { return parseJobEnd(readNote("end")); }

    /// Which line of the setup, from 1, the job was executing when it was last heard of; 0: none yet. Nothing
    /// before the setup and when all of it is done.
    std::optional<int> setupStep() const;

    /// What the setup has written on standard error.
    std::string setupErrors() const { return readNote("setup-errors"); }

    /// Why ranks failed, as each of them has left it in failure-RANK.json; the lowest rank first.
    std::vector<study::Failure> rankFailures() const;

    /// The job has ended its program because that printed more than it may.
    bool hasTooMuchOutput() const { return std::filesystem::exists(m_path / "too-much"); }

private:
    void refuseImpostors() const;
    std::string readNote(const char* name) const;

    std::filesystem::path m_logs, m_path;
};

/// What quadric-watch writes on each node of a job (app/watch), read while it grows.
class JobTelemetry {
public:
    explicit JobTelemetry(JobFolder folder);

    /// Where the nodes write.
    static std::filesystem::path folderIn(const std::filesystem::path& folder)
    {
        return folder / "telemetry";
    }

    /// The samples that have come since the last time, the fields of a telemetry event with the `node` each.
    std::vector<std::string> readMore();

    /// What was found on all nodes so far.
    machine::Findings findings() const;

private:
    struct Node {
        FileTail file;
        LineReader lines;
    };

    JobFolder m_job;
    std::filesystem::path m_folder;
    std::map<std::string, Node> m_nodes; ///< by name
};

/// How near to a silence or a start of the controller a job has to end to have ended by it.
inline constexpr double kForsakenSeconds = 60.0;

/// Where a job ended that has not come beyond its setup.
struct SetupStep {
    std::string line;   ///< as the study has it; empty: none was executed
    std::string errors; ///< what it has written on standard error
};

/// The line with this number, from 1; empty for 0.
std::string findSetupLine(const std::vector<std::string>& setup, int number);

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
WorkerExit makeWorkerExit(WorkerExit::Kind kind, double seconds = 0.0);

/// The job ended within a minute of a start of the controller that it has lived through.
bool endedByStart(const JobRecord& record, std::optional<double> controllerStart);

/// How the worker ended. What Slurm says comes before what the script says: after the loss of a node a script
/// can end with status 0.
WorkerExit determineJobOutcome(const JobEvidence& evidence);

/// The status in a line of srun such as "srun: error: n1: task 5: Exited with exit code 7"; empty for any
/// other line.
std::optional<int> parseRankStatus(std::string_view line);

/// A line in which Slurm tells that a step or one of its tasks has ended, after what the program said itself.
bool isJobEndMessage(std::string_view line);

} // namespace quadric::run
