// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/node_record.h"
#include "core/machine/sampler.h"
#include "core/run/recipe/recipe.h"
#include "core/run/words/run_log.h"
#include "core/run/words/worker_protocol.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>

namespace quadric::run {

/// What is watched while this worker runs: the GPUs that it may use, none for a worker that computes on the
/// processor, and the processors to which it is confined. Processes of this program and all that it starts
/// are ours; on processors of its own only what the worker itself, under `guard`, starts.
machine::ReaderOptions watchedBy(const Launch& launch, qint64 guard);

/// False for a worker that is told to compute on the processor, or nowhere.
bool mayUseGpus(const Launch& launch);

/// True for a worker that measures something: the simulator uses the machine for nothing that matters.
bool isWorthWatching(const Launch& launch);

/// Adds what was found to the provenance of the run that has ended: `telemetry`, `driver`, and where the run
/// was throttled or shared `disturbed` with `disturbed_because`, beside what the worker says there itself. A
/// failure that the loss of a GPU explains becomes `device-lost`.
void noteFindings(study::Run& run, const machine::Findings& findings);

/// Watches the machine while one run executes: tells it twice a second, keeps it beside the log, and sums it
/// up for the run's provenance.
class RunTelemetry : public QObject {
    Q_OBJECT

public:
    /// Begins at once.
    RunTelemetry(int runId, const std::filesystem::path& document, machine::ReaderOptions watched);
    ~RunTelemetry() override;

    /// Keeps a step time that the worker has told.
    void keepStep(Sample step);
    /// Keeps a value of a response that the program has printed now.
    void keepValue(const std::string& response, double value);

    /// Ends the watching; see noteFindings().
    void conclude(study::Run& run);

signals:
    /// An event for everybody who follows (events.h).
    void news(const QByteArray& event);

private:
    double elapsedSeconds() const;
    void pass(const machine::Sample& now);
    void take(const std::string& fields);

    int m_runId;
    RunLog m_file;
    QElapsedTimer m_clock;
    std::optional<machine::Sample> m_passed; ///< the last one that was told; of the sampler's thread
    machine::Sampler m_sampler;
};

} // namespace quadric::run
