// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace quadric::run {

/// Something that a study asks of the built-in workload and that it would not get.
struct BuiltinGap {
    std::string where; ///< in the study: "factors[1]"
    std::string why;   ///< a sentence without its end
};

/// Factors that are no settings of the built-in workload, and responses that it does not report, or not with
/// these settings, in the order of the study. None for other workloads. Throws RecipeError where the
/// benchmark cannot be read.
std::vector<BuiltinGap> findBuiltinGaps(const study::Study& study);

/// The gaps in one text, with the names that there are; empty: there are none. Throws like findBuiltinGaps().
std::string gapsInWords(const study::Study& study);

/// Whether the study's command starts quadric_worker.py or quadric_torch.py: these, and scripts that they
/// start, read the values of factors and fixed settings from QUADRIC_SETTINGS.
bool readsSettings(const study::Study& study);

/// Factors that neither the arguments nor the environment of the study's own command mention: only a program
/// that reads QUADRIC_SETTINGS gets to know their values. Empty for those that are known to, and for other
/// workloads.
std::vector<std::string> unmentionedFactors(const study::Study& study);

/// "--name {name}" for each of them.
std::vector<std::string> argumentsForUnmentioned(const study::Study& study);

/// One thing that is wrong with how a study is measured by a command.
struct RecipeProblem {
    std::string where;   ///< as in the document: "benchmark.argv[3]", "benchmark.parse.regex.speed"
    std::string message; ///< "{optimiser} is not a factor. Did you mean {optimizer}?"
    bool isError = true; ///< false: it can be run, but the point deserves a look
    bool operator==(const RecipeProblem&) const = default;
};

/// What the study itself shows: placeholders, the program's name, patterns for the responses, signs of a
/// shell, a result file that runs at once would share. Of other workloads only how results are read. The
/// window, checkRecipe() and the runner judge with it. `runsAtOnce`: as many as the study says if not given.
std::vector<RecipeProblem> findRecipeProblems(const study::Study& study, std::optional<int> runsAtOnce = {});

/// What this machine shows: the working folder, the program and its script. `document` is where the study is
/// or will be. Only warnings where runs are jobs of a cluster, whose machines are others.
std::vector<RecipeProblem> findPlaceProblems(const study::Study& study,
                                             const std::filesystem::path& document);

} // namespace quadric::run
