// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/worker/placement.h"
#include "core/run/worker/run_process.h"

#include <filesystem>
#include <memory>
#include <optional>
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

    /// Sets aside what the run needs of this machine, until release(); nothing while too much of it is in use
    /// and the run has to wait.
    virtual std::optional<Placement> place(const study::Study&, const study::Run&) { return Placement{}; }

    /// The run with this id has ended: what it had is free again.
    virtual void release(int) {}

    /// Which part of what is there for runs this one uses, 0…1: how many fit beside it.
    virtual double share(const study::Study&, const study::Run&) const { return 1.0 / mostRuns(); }

    /// A process for the run, not started yet.
    virtual std::unique_ptr<RunProcess> makeProcess(const study::Study& study, const study::Run& run) = 0;

    /// Takes over the run that an earlier runner left at work: `run` is its record, with the facts that
    /// RunProcess::jobKnown() told. Its start() attaches and starts nothing anew. Empty when nothing is
    /// left of it: the run is executed again.
    virtual std::unique_ptr<RunProcess> reattach(const study::Study& study, const study::Run& run) = 0;
};

/// Workers are processes of this machine, under quadric-guard; none of them survives its runner. One at a
/// time, which may use everything. `root`: where proc and sys are.
std::unique_ptr<Launcher> makeLocalLauncher(const std::filesystem::path& root = "/");

/// The same, `mostRuns` at a time, each of which is confined to devices of its own (run_need.h says to how
/// many). A run that needs all of them, or more than there are, waits until it is alone.
std::unique_ptr<Launcher> makeParallelLauncher(int mostRuns, devices::Inventory inventory);

} // namespace quadric::run
