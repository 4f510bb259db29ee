// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string>
#include <vector>

namespace quadric::run {

/// A command that many people start with, made for the factors and responses of a study.
struct ReadyRecipe {
    std::string name;      ///< "torchrun"
    std::string what;      ///< one sentence: what is started and where its results come from
    study::Benchmark made; ///< argv, folder and how results are read; the other fields are the study's own
};

/// torchrun on one machine, a script under Slurm's srun, a script in the manner of doehelper (`--factor value
/// … --out file.json`), and all_reduce_perf of nccl-tests. The factor that binds ranks, or else one named
/// after GPUs, ranks, workers or processes, sets how many processes are started; every other factor that the
/// command does not mention becomes `--name value`. A command and patterns that are there already stay: a
/// recipe adds what it is about. nccl-tests is a program of its own and takes their place.
std::vector<ReadyRecipe> readyRecipes(const study::Study& study);

} // namespace quadric::run
