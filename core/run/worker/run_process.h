// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/node_record.h"
#include "core/run/recipe/recipe.h"
#include "core/run/worker/run_limits.h"
#include "core/run/worker/run_outcome.h"

#include <QByteArray>
#include <QObject>
#include <QString>

namespace quadric::run {

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

} // namespace quadric::run
