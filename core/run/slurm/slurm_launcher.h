// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/cluster/slurm_call.h"
#include "core/run/slurm/job_script.h"
#include "core/run/worker/launcher.h"

#include <string>
#include <string_view>
#include <vector>

namespace quadric::run {

/// What sbatch said when it refused a job.
struct SubmitError {
    std::string message;  ///< Slurm's own words, and what was asked for
    bool mayPass = false; ///< the same request may succeed later: the controller is away, a limit is reached,
                          ///< nodes that could do it are unknown or down
};

/// From the standard error of sbatch. `nodes`, as sinfo names them, tell whether a request that no node fits
/// may succeed later: after a start of the controller it may name none, or none that it has heard of.
SubmitError submitError(std::string_view standardError, const JobRequest& request,
                        const std::vector<ClusterNode>& nodes);

/// Runs are jobs of the Slurm cluster whose programs are on the PATH, as `benchmark.slurm` of the study says,
/// up to its `most_jobs` in the queue at once. The folder of `document` must be seen by all nodes. Jobs go on
/// when their runner dies. Throws RecipeError for options that are none.
std::unique_ptr<Launcher> makeSlurmLauncher(const study::Study& study, const std::filesystem::path& document);

} // namespace quadric::run
