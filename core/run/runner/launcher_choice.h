// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/worker/launcher.h"

#include <optional>

namespace quadric::run {

/// What was asked for when the runner was started, instead of what the study says.
struct LauncherChoice {
    std::string name = {};            ///< "local" or "slurm"; empty: as `benchmark.launcher` says
    std::optional<int> parallel = {}; ///< runs at once on this machine; not set: as `benchmark.parallel` says
    std::string devices = {};         ///< GPUs that may be used; empty: as CUDA_VISIBLE_DEVICES says
};

/// Where the runs of the study are executed. Reads this machine where several runs share it. Throws
/// RecipeError.
std::unique_ptr<Launcher> launcherFor(const study::Study& study, const std::filesystem::path& document,
                                      const LauncherChoice& asked = {});

} // namespace quadric::run
