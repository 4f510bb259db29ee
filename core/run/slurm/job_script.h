// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/recipe.h"
#include "core/study/study.h"

#include <filesystem>

namespace quadric::run {

/// What one run asks of the cluster.
struct JobRequest {
    std::string name = {};    ///< unlike that of every other job: finds the job again
    std::string comment = {}; ///< for people who look at the queue
    std::string partition = {};
    std::string account = {};
    int ranks = 1;
    int nodes = 1;
    int ranksPerNode = 1; ///< of the fullest node
    int gpusPerNode = 0;
    int cpusPerRank = 1;
    int minutes = 1;   ///< time limit
    int memoryMib = 0; ///< of each node; 0: what the cluster gives
    bool startsRanks = true;
    std::vector<std::string> options = {}; ///< of the study, for sbatch
    std::vector<std::string> setup = {};   ///< of the study, lines of shell
    std::string settings = {};             ///< what the worker is given, as JSON
    std::string watch = {};                ///< the program that watches the nodes; empty: nobody does
    bool watchesGpus = false;              ///< theirs too

    /// "4 ranks on 2 nodes with 2 GPUs each".
    std::string inWords() const;
};

/// The request of a run: ranks from the factor that is bound to them (or the setting "ranks"), spread evenly
/// over as few nodes as can hold them; the time limit of the study and a minute more, so that Quadric's own
/// limit comes first; its limit of memory for each node. Throws RecipeError for a number of ranks or a limit
/// that is none.
JobRequest jobRequest(const study::Study& study, const study::Run& run, const study::SlurmOptions& options,
                      const std::string& name);

/// A new name for a job: "quadric-", eight digits of the study's path, the run, eight random digits.
std::string newJobName(const std::filesystem::path& document, int runId);

/// Whether this is such a name for a job of the run: whatever else a record has becomes no path.
bool isJobName(const std::string& name, int runId);

/// `text` as one word of bash that stands for exactly these bytes (no zero among them): as it is, in single
/// quotes, or in $'…' where it holds control characters, which no line of a batch script may have.
std::string shellWord(const std::string& text);

/// The batch script of a run. It claims `folder` (which all nodes must see) for its job, so that a run that
/// was submitted twice is executed once; leaves standard output and standard error of the program there as
/// `output` and `errors`, and, when it ends, `end` (job_status.h), in one piece. A program that has printed
/// more than `outputMib` is ended, and `too-much` is left. Throws RecipeError for variables that have no name
/// in bash.
std::string jobScript(const JobRequest& request, const Launch& launch, const std::filesystem::path& folder,
                      double outputMib);

} // namespace quadric::run
