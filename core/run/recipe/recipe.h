// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <stdexcept>

namespace quadric::run {

/// The study's `benchmark` cannot be executed as it stands; says which field, what it holds and what was
/// expected.
class RecipeError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What is executed for one run. No shell: every argument reaches the program as it is.
struct Launch {
    QString program;
    QStringList arguments;
    QProcessEnvironment environment;
    QString folder;
    QString owner = {};    ///< of the processes of this machine that it starts (orphans.h); empty: nobody
    std::vector<int> cpus; ///< processors to which the worker is confined; empty: to none
};

/// The settings that a worker gets: fixed settings, benchmark options and the run's own, later ones winning.
/// For the built-in workload a factor that binds a knob ("ranks") goes under the knob's name. A baseline is
/// given its settings as they are.
study::Settings workerSettings(const study::Study& study, const study::Run& run);

/// Throws RecipeError where the study file holds a value under one of these keys of `benchmark` that cannot
/// be read.
void refuseUnreadable(const study::Benchmark& benchmark, std::initializer_list<const char*> keys);

/// Checks everything about the benchmark that does not depend on a run. Throws RecipeError.
void checkRecipe(const study::Study& study);

/// The command for a run. `devices` goes to CUDA_VISIBLE_DEVICES where it is not empty. Throws RecipeError.
Launch launchFor(const study::Study& study, const study::Run& run, const std::filesystem::path& document,
                 const QString& devices = {});

/// `text` with every {name} replaced by the value of that setting; {{ and }} stand for braces. Throws
/// RecipeError for a name without a value. Braces around anything but a name are left alone.
std::string fillTemplate(const std::string& text, const study::Settings& settings);

/// Names of the placeholders of an argv or env template.
std::vector<std::string> placeholdersOf(const std::string& text);

/// The folder in which a command of the user's own is executed: `cwd`, seen from the document's folder.
std::filesystem::path workingFolder(const study::Study& study, const std::filesystem::path& document);

} // namespace quadric::run
