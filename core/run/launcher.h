// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_process.h"

#include <filesystem>
#include <memory>
#include <string>

namespace quadric::run {

/// Where the runs of a study are executed.
class Launcher {
public:
    virtual ~Launcher() = default;

    /// As given to --launcher: "local", "slurm".
    virtual std::string name() const = 0;

    /// How many runs may be in its hands at once, waiting ones among them.
    virtual int mostRuns() const = 0;

    /// Everything about the study that can be checked before the first run. Throws RecipeError.
    virtual void check(const study::Study& study, const std::filesystem::path& document) const = 0;

    /// A process for the run, not started yet.
    virtual std::unique_ptr<RunProcess> makeProcess(const study::Study& study, const study::Run& run) = 0;

    /// Takes over the run that an earlier runner left at work: `run` is its record, with the facts that
    /// RunProcess::factsKnown() told. Its start() attaches and starts nothing anew. Empty when nothing is
    /// left of it: the run is executed again.
    virtual std::unique_ptr<RunProcess> reattach(const study::Study& study, const study::Run& run) = 0;
};

/// Workers are processes of this machine, under quadric-guard; none of them survives its runner. `mostRuns`
/// at a time. `root`: where proc and sys are.
std::unique_ptr<Launcher> makeLocalLauncher(int mostRuns = 1, const std::filesystem::path& root = "/");

} // namespace quadric::run
