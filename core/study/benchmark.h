// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <optional>
#include <string>
#include <vector>

namespace quadric::study {

/// How the runs of a study become jobs of a Slurm cluster: `benchmark.slurm` (docs/slurm.md).
struct SlurmOptions {
    /// What of the study a job starts.
    enum class Start {
        Ranks, ///< srun starts the program once per rank
        Once   ///< the batch script starts it once; it brings its ranks to life itself (torchrun, srun)
    };

    std::string partition = {};            ///< empty: the cluster's own
    std::string account = {};              ///< empty: the user's own
    int ranksPerNode = 8;                  ///< ranks that fit on a node
    std::optional<int> gpusPerRank = {};   ///< not set: 1 where ranks are GPUs, otherwise 0
    int cpusPerRank = 1;                   ///< cores
    Start start = Start::Ranks;            ///< what a job starts
    std::vector<std::string> options = {}; ///< more options of sbatch, "--exclusive"
    std::vector<std::string> setup = {};   ///< lines of shell before the start, "module load cuda"
    int mostJobs = 4;                      ///< jobs in the queue, running or waiting, at any time
    double pollSeconds = 5.0;              ///< between two looks at the queue
    bool operator==(const SlurmOptions&) const = default;

    /// Options and lines of shell that a study brings for the batch script are commands of its own.
    bool holdsCommands() const { return !options.empty() || !setup.empty(); }
};

inline constexpr int kMostParallelRuns = 64;

/// How results are read from a program that does not speak the worker protocol (`benchmark.parse`):
/// {"regex": {"response": "pattern"}}, {"json": "last"} or {"file": "result.json"}.
struct ParseSpec {
    enum class Kind { Protocol, Regex, LastJson, File };
    Kind kind = Kind::Protocol;
    std::map<std::string, std::string> patterns = {}; ///< Regex: response name → pattern
    std::string file = {}; ///< File: a template of a path, seen from the working folder
    bool operator==(const ParseSpec&) const = default;
};

/// How often a run is measured once more by itself, by the kind of what went wrong (`benchmark.retry`).
/// Everything else (out of memory, a limit of time, wrong output) would go wrong again and is never repeated.
struct RetryPolicy {
    int crash = 1;     ///< the worker, a rank or a device was lost
    int cluster = 3;   ///< the cluster took the job away: a node that died, preemption, requeue
    int disturbed = 1; ///< measured, but something else was using the machine
    UnknownKeys unknown = {};
    bool operator==(const RetryPolicy&) const = default;
};

/// Where the speed of one rank comes from, to which the scaling efficiency of others is related. Only the
/// built-in workload has baselines.
enum class BaselineMode {
    Shared, ///< a run of its own, for all runs that need the same
    Own,    ///< each run measures its own
    Off     ///< nobody measures it, there is no scaling efficiency
};

/// Where runs are executed.
enum class LauncherKind { Local, Slurm };

/// How a run is measured: the built-in workload, or a command of the user's own (argv template, never a
/// shell).
struct Benchmark {
    std::string workload = "builtin"; ///< "builtin", "command" or "none" (results are typed or imported)
    std::string engine = "auto";
    Settings options = {};
    std::vector<std::string> argv = {};
    std::map<std::string, std::string> env = {};
    std::string cwd = {};
    std::vector<std::string> writes = {}; ///< templates of files that the command names and writes itself
    ParseSpec parse = {};
    double timeoutSeconds = 600.0;
    double memoryMib = 0.0;    ///< that a run may use; 0: no limit
    double outputMib = 1024.0; ///< that a run may print
    RetryPolicy retry = {};
    BaselineMode baseline = BaselineMode::Shared;
    LauncherKind launcher = LauncherKind::Local;
    int parallel = 1; ///< runs at once on this machine, up to kMostParallelRuns
    SlurmOptions slurm = {};
    /// Also values of the members above that cannot be read (findProblem()).
    UnknownKeys unknown = {};
    bool operator==(const Benchmark&) const = default;
};

/// What is wrong with the value that the document holds under this key of `benchmark`, in a sentence
/// ("benchmark.parallel: found 0, expected …"); empty where it was read, or is not there. Such a value is
/// kept as it is, and a run that depends on it is refused.
std::string findProblem(const Benchmark& benchmark, const std::string& key);

} // namespace quadric::study
