// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <filesystem>
#include <string>
#include <vector>

namespace quadric::run {

/// One thing that is wrong with how a study is measured by a command.
struct RecipeProblem {
    std::string where;   ///< as in the document: "benchmark.argv[3]", "benchmark.parse.regex.speed"
    std::string message; ///< "{optimiser} is not a factor. Did you mean {optimizer}?"
    bool isError = true; ///< false: it can be run, but the point deserves a look
    bool operator==(const RecipeProblem&) const = default;
};

/// What the study itself shows: placeholders, the program's name, patterns for the responses, signs of a
/// shell. Of other workloads only how results are read. The window, checkRecipe() and the runner judge with
/// it.
std::vector<RecipeProblem> findRecipeProblems(const study::Study& study);

/// What this machine shows: the working folder, the program and its script. `document` is where the study is
/// or will be. Only warnings where runs are jobs of a cluster, whose machines are others.
std::vector<RecipeProblem> findPlaceProblems(const study::Study& study,
                                             const std::filesystem::path& document);

} // namespace quadric::run
