// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/recipe.h"
#include "core/run/slurm/job_request.h"

namespace quadric::run {

/// `text` as one word of bash that stands for exactly these bytes (no zero among them): as it is, in single
/// quotes, or in $'…' where it holds control characters, which no line of a batch script may have.
std::string shellWord(const std::string& text);

/// The variables that the recipe sets beside what the program inherits, less those that tell which devices
/// are free: on a cluster Slurm says so.
std::map<std::string, std::string> recipeVariables(const Launch& launch);

/// The batch script of a run. It claims `folder` (which all nodes must see) for its job, so that a run that
/// was submitted twice is executed once; leaves standard output and standard error of the program there as
/// `output` and `errors`, and, when it ends, `end` (job_status.h), in one piece. A program that has printed
/// more than `outputMib` is ended, and `too-much` is left. Throws RecipeError for variables that have no name
/// in bash.
std::string jobScript(const JobRequest& request, const Launch& launch, const std::filesystem::path& folder,
                      double outputMib);

} // namespace quadric::run
