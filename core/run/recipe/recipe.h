// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <stdexcept>

namespace quadric::run {

/// The study's `benchmark` cannot be executed as it stands; says which field, what it holds and what was
/// expected.
class RecipeError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class ApprovedStudy;

/// What is executed for one run. No shell: every argument reaches the program as it is. Every worker, here or
/// in a job of a cluster, is started with one, and only for an approved study (approval.h) there is one.
struct Launch {
    explicit Launch(const ApprovedStudy&) {}

    QString program;
    QStringList arguments;
    QProcessEnvironment environment;
    QString folder;
    QString owner = {};    ///< of the processes of this machine that it starts (orphans.h); empty: nobody
    std::vector<int> cpus; ///< processors to which the worker is confined; empty: to none
};

/// The settings that a worker gets: fixed settings, benchmark options and the run's values of the factors,
/// later ones winning. For the built-in workload a factor that binds a knob ("ranks") goes under the knob's
/// name, and a baseline is given its settings as they are.
study::Settings workerSettings(const study::Study& study, const study::Run& run);

/// Throws RecipeError where the study file holds a value under one of these keys of `benchmark` that cannot
/// be read.
void refuseUnreadable(const study::Benchmark& benchmark, std::initializer_list<const char*> keys);

/// Checks everything about the benchmark that does not depend on a run. `runsAtOnce`: see
/// findRecipeProblems(). Throws RecipeError.
void checkRecipe(const study::Study& study, std::optional<int> runsAtOnce = {});

/// Throws RecipeError, which names the run, unless its settings are a value for each factor and nothing else:
/// numbers, and levels that the study lists. A baseline of the built-in workload may have any.
void checkRunSettings(const study::Study& study, const study::Run& run);

/// The command for a run of the study. `devices` goes to CUDA_VISIBLE_DEVICES where it is not empty. Throws
/// RecipeError, also where checkRunSettings() does.
Launch launchFor(const ApprovedStudy& approved, const study::Run& run, const QString& devices = {});

/// `text` with each {name} replaced by that setting, {name?yes:no} by one of two texts; {{ and }} are braces.
/// Throws RecipeError for a name without a value. Braces around anything but a name are left alone.
std::string fillTemplate(const std::string& text, const study::Settings& settings);

/// The command with values of this run, its number for {run_id}, no flags that are off. Throws RecipeError.
std::vector<std::string> fillCommand(const study::Study& study, const study::Run& run);

/// The template with other names in its braces, by the old name.
std::string withPlaceholdersRenamed(const std::string& text, const std::map<std::string, std::string>& names);

/// Names of the placeholders of an argv or env template.
std::vector<std::string> placeholdersOf(const std::string& text);

/// The program that argv[0] names: a path is seen from the working folder, a name is looked up on the PATH.
/// The name itself where it is not found.
QString locateProgram(const std::string& program, const std::filesystem::path& folder);

/// The folder in which a command of the user's own is executed: `cwd`, seen from the folder of the document
/// (where that is a link: of the file behind it), without "." and "..".
std::filesystem::path workingFolder(const study::Study& study, const std::filesystem::path& document);

} // namespace quadric::run
