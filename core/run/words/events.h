// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/file_tail.h"
#include "core/run/words/time_left.h"
#include "core/run/words/worker_protocol.h"
#include "core/study/run.h"

#include <QByteArray>
#include <QString>

#include <filesystem>

namespace quadric::run {

/// Where a runner writes its news for whoever watches: JSON lines beside the document, started afresh by each
/// runner. News only: the journal is the truth.
std::filesystem::path eventsPath(const std::filesystem::path& document);

/// Reads the news from the start, some megabytes at once so that no reader's event loop is held up. Lines are
/// far shorter than that. Of a file beyond all measure only the end is read.
FileTail tailOfEvents(const std::filesystem::path& document);

/// The news of a runner, one JSON object without line end each. docs/worker-protocol.md lists them.
QByteArray startedEvent(int pid, const std::string& host, int pendingRuns);
/// `name`: "run-started", "run-changed", "run-done", "run-failed", "run-stopped", "run-retried" or
/// "run-kept".
QByteArray runEvent(const char* name, const study::Run& run);
/// The name of the event that tells a run's record with this status.
const char* eventOf(study::RunStatus status);
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
