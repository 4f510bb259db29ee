// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/record.h"
#include "core/machine/summary.h"
#include "core/run/recipe/recipe.h"
#include "core/run/words/run_files.h"
#include "core/run/words/worker_protocol.h"
#include "core/study/benchmark.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace quadric::run {

/// Lets news through no faster than 20 a second, or as the pause between them says.
class Throttle {
public:
    static constexpr qint64 kPauseMs = 50;

    explicit Throttle(qint64 pauseMs = kPauseMs)
        : m_pauseMs(pauseMs)
    {
    }

    bool lets()
    {
        if (m_clock.isValid() && m_clock.elapsed() < m_pauseMs)
            return false;
        m_clock.start();
        return true;
    }

private:
    qint64 m_pauseMs;
    QElapsedTimer m_clock;
};

/// Lets so many log lines through within a second; the log file has all of them.
class LogThrottle {
public:
    bool lets()
    {
        if (!m_second.isValid() || m_second.elapsed() >= 1000) {
            m_second.start();
            m_count = 0;
        }
        return ++m_count <= kMostPerSecond;
    }

private:
    static constexpr int kMostPerSecond = 50;
    QElapsedTimer m_second;
    int m_count = 0;
};

/// What a program that does not speak the worker protocol prints of its responses while it runs, for the live
/// plot. The result itself is read from the whole output when the program has ended.
class LiveValues {
public:
    explicit LiveValues(study::ParseSpec spec);

    /// The finite numbers that this line has for responses: by their patterns, or as a JSON object. At most
    /// 20 a second of each response. Long lines are left out, and so are lines for which there is no time:
    /// reading takes a twentieth of it at most.
    std::vector<std::pair<std::string, double>> read(const std::string& line);

private:
    using Found = std::vector<std::pair<std::string, double>>;
    bool hasTime() const;
    Found findByPatterns(const std::string& line);
    static Found findInObject(const std::string& line);

    study::ParseSpec m_spec;
    std::map<std::string, Throttle> m_pauses; ///< by response
    QElapsedTimer m_clock;                    ///< since the first line
    qint64 m_spentNs = 0;
};

/// What is watched while this worker runs: the GPUs that it may use, none for a worker that computes on the
/// processor, and the processors to which it is confined. Processes of this program and all that it starts
/// are ours; on processors of its own only what the worker itself, under `guard`, starts.
machine::ReaderOptions makeReaderOptions(const Launch& launch, qint64 guard);

/// False for a worker that is told to compute on the processor, or nowhere.
bool canUseGpus(const Launch& launch);

/// True for a worker that measures something: the simulator uses the machine for nothing that matters.
bool isWorthWatching(const Launch& launch);

/// Adds what was found to the provenance of the run that has ended: `telemetry`, `driver`, and where the run
/// was throttled or shared `disturbed` with `disturbed_because`, beside what the worker says there itself. A
/// failure that the loss of a GPU explains becomes `device-lost`.
void addFindings(study::Run& run, const machine::Findings& findings);

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
    void keepValue(const std::string& response, double value)
    {
        m_file.write(writeResponseSample({elapsedSeconds(), response, value}));
    }

    /// Ends the watching; see addFindings().
    void conclude(study::Run& run) { addFindings(run, machine::summarizeFindings(m_sampler.finish())); }

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
