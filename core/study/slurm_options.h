// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace quadric::study
