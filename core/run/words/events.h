// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/run_files.h"
#include "core/run/words/worker_protocol.h"
#include "core/study/run.h"

#include <QByteArray>

#include <filesystem>
#include <string>
#include <string_view>

namespace quadric::run {

/// How long something still takes: about `seconds`, most likely from `low` to `high`.
struct TimeLeft {
    double seconds = 0.0, low = 0.0, high = 0.0;
    bool operator==(const TimeLeft&) const = default;

    /// It may well be off by more than a fifth: the interval is worth telling.
    bool isUncertain() const { return high > 1.2 * seconds || low < 0.8 * seconds; }
};

/// What becomes of a run while the runner has it in hand.
enum class RunPhase {
    Waiting,   ///< in the queue, pending in the document
    Starting,  ///< recorded as running, its worker is being started
    Executing, ///< its worker runs
    Stopping,  ///< the runner was asked to stop and has told the worker to end
    Done,      ///< measured and recorded
    Failed     ///< recorded with its kind of failure
};

/// The one table of allowed moves.
bool isAllowedTransition(RunPhase from, RunPhase to);

std::string_view nameOf(RunPhase phase);

/// What the record of a run says about its devices.
struct RunDevices {
    std::vector<int> gpus = {}; ///< numbers
    std::string cpus = {};      ///< processors, "0-3,8"
    bool operator==(const RunDevices&) const = default;

    /// "GPU 0, 1 · CPU 0-3"; empty where it says nothing.
    std::string inWords() const;
};

RunDevices readRunDevices(const study::Provenance& provenance);

/// What one execution of a study's command gave.
struct TrialReport {
    study::Run run;     ///< done with its results, or failed with the reason
    std::string output; ///< what the program printed, except events of the worker protocol; the end of it
    std::string standardOutput = {}, standardError = {}; ///< where patterns are looked for
};

/// Where a runner writes its news for whoever watches: JSON lines beside the document, started afresh by each
/// runner. News only: the journal is the truth.
std::filesystem::path eventsPath(const std::filesystem::path& document);

/// Reads the news from the start, some megabytes at once so that no reader's event loop is held up. Lines are
/// far shorter than that. Of a file beyond all measure only the end is read.
FileTail openEventTail(const std::filesystem::path& document);

/// The news of a runner, one JSON object without line end each. docs/worker-protocol.md lists them.
QByteArray startedEvent(int pid, const std::string& host, int pendingRuns);
/// `name`: "run-started", "run-changed", "run-done", "run-failed", "run-stopped", "run-retried" or
/// "run-kept".
QByteArray runEvent(const char* name, const study::Run& run);
/// The name of the event that tells a run's record with this status.
const char* statusEventName(study::RunStatus status);
QByteArray progressEvent(int runId, const Progress& progress);
QByteArray sampleEvent(int runId, const Sample& sample);
/// `fields`: machine::sampleText().
QByteArray telemetryEvent(int runId, const std::string& fields);
QByteArray logEvent(int runId, const std::string& line);
/// What the run waits for, in words; empty: it executes.
QByteArray stateEvent(int runId, const std::string& state);
/// `why`: in sentences where the runner paused by itself; empty: somebody has asked for it.
QByteArray pausedEvent(bool isPaused, const std::string& why = {});
/// Ids of the runs to come, in order.
QByteArray queueEvent(const std::vector<int>& runs);
QByteArray remainingEvent(const TimeLeft& left);
/// Why no further run is started for now, in words; empty: that is over.
QByteArray problemEvent(const std::string& message);
/// `reason`: "finished", "stopped" or "failed".
QByteArray endedEvent(const std::string& reason, const std::string& message);

/// Writes events for followers: a new file for each runner, one write per line. A file that cannot be written
/// stops nothing: events are only news.
class EventWriter {
public:
    explicit EventWriter(const std::filesystem::path& document);

    void write(const QByteArray& event);

private:
    study::FileHandle m_file;
};

} // namespace quadric::run
