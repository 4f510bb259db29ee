// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>

namespace quadric::run {

/// How many ranks the run has by that factor or a setting `ranks`; empty where neither says it. Throws
/// RecipeError for anything but a whole number from 1.
std::optional<int> ranksOf(const study::Study& study, const study::Run& run);

/// GPUs that a rank of a Slurm job has: as the study says it, otherwise 1 where ranks are GPUs and none
/// elsewhere.
int gpusPerRank(const study::Study& study, const study::SlurmOptions& options);

} // namespace quadric::run
