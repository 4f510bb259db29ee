// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/record.h"
#include "core/run/recipe/recipe.h"
#include "core/run/worker/allocator.h"
#include "core/run/worker/run_outcome.h"
#include "core/run/worker/run_policy.h"
#include "core/study/run.h"
#include "core/study/study.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace quadric::run {

struct Launch;

/// The devices of this machine that a run has for itself while others are executed beside it.
struct Placement {
    std::vector<devices::Gpu> gpus = {};
    std::vector<int> cpus = {}; ///< processors as the system counts them (hardware threads), ascending
    bool isConfined = false;    ///< the worker sees nothing else; false: the run is alone
};

Placement makePlacement(const devices::Allocation& allocation, const devices::Inventory& inventory);

/// Hands the devices over to the worker that will be launched: GPUs by UUID in CUDA_VISIBLE_DEVICES,
/// processors as its affinity. Changes nothing for a run that is not confined.
void confine(Launch& launch, const Placement& placement);

/// Notes what was set aside for the run.
void note(const Placement& placement, study::Provenance& provenance);

/// What the run needs of a machine on which up to `mostRuns` are executed at once. The built-in workload: a
/// GPU per rank with the engine cuda, or with auto where there are GPUs; a core per thread of its ranks
/// otherwise; nothing for the simulator. A command of the user's own: as many GPUs, or without any in the
/// machine cores, as the factor bound to ranks or a setting `ranks` says; otherwise one GPU, or an equal
/// share of the cores. With each GPU comes its share of the cores. Throws RecipeError for ranks that are no
/// number.
devices::Need needOf(const study::Study& study, const study::Run& run, const devices::Inventory& inventory,
                     int mostRuns);

/// The worker of one run, wherever it is executed: a process of this machine, a job of a queue. However it
/// ends, nothing that it started is left when ended() is emitted, exactly once.
class RunProcess : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Starts the worker. A failure to start is told by ended(), not thrown.
    virtual void start(const Launch& launch, const RunLimits& limits) = 0;

    /// Ends the worker; ended() follows with WorkerExit::Kind::Stopped, or with the worker's own end where it
    /// came first.
    virtual void stop() = 0;

    /// Time that the worker has been executing, by a clock that nobody sets; 0 before it is started.
    virtual double elapsedSeconds() const = 0;

    /// The process of this machine whose descendants are the worker; 0 where there is none (yet).
    virtual qint64 processId() const { return 0; }

    /// What was found about the machines of a worker that is executed elsewhere, once it has ended.
    virtual machine::Findings findings() const { return {}; }

signals:
    /// The worker executes now.
    void started();
    void standardOutput(const QByteArray& bytes);
    void standardError(const QByteArray& bytes);
    /// What a machine did on which the worker is executed elsewhere: the fields of a telemetry event.
    void machineSampled(const std::string& fields);
    /// What the run waits for, in words for people ("waiting in the queue of Slurm"); empty: it executes.
    void stateChanged(const QString& state);
    /// The job that executes the worker: it must be in the record at once, for a later runner finds it by
    /// that.
    void jobKnown(const quadric::study::SlurmJob& job);
    /// The machines that execute the worker, and their kernel, where these are others than the runner's.
    void placeKnown(const std::string& host, const std::string& kernel);
    void ended(const quadric::run::WorkerExit& exit);
};

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

/// The same, `mostRuns` at a time, each of which is confined to devices of its own (needOf() says to how
/// many). A run that needs all of them, or more than there are, waits until it is alone.
std::unique_ptr<Launcher> makeParallelLauncher(int mostRuns, devices::Inventory inventory);

} // namespace quadric::run
