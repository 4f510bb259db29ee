// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/worker/launcher.h"

namespace quadric::run {

/// Runs are jobs of the Slurm cluster whose programs are on the PATH, as `benchmark.slurm` of the study says,
/// up to its `most_jobs` in the queue at once. The folder of `document` must be seen by all nodes. Jobs go on
/// when their runner dies. Throws RecipeError for options that are none.
std::unique_ptr<Launcher> makeSlurmLauncher(const study::Study& study, const std::filesystem::path& document);

} // namespace quadric::run
