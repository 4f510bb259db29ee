// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/runner/run_queue.h"
#include "core/run/runner/runner.h"
#include "core/run/words/events.h"

#include <optional>

namespace quadric::run {

/// Tells everybody what a runner does: by its signals, and in the file of events once that is open.
class Announcer {
public:
    explicit Announcer(Runner& runner)
        : m_runner(runner)
    {
    }

    void open(const std::filesystem::path& document) { m_events.emplace(document); }
    void close() { m_events.reset(); }

    void send(const QByteArray& event);
    void sendQueue(const RunQueue& queue);
    /// The record of this run is on disk.
    void tellRecord(const study::Run& run, const char* event);

private:
    Runner& m_runner;
    std::optional<EventWriter> m_events;
};

} // namespace quadric::run
