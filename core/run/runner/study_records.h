// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/runner/record_keeper.h"
#include "core/run/runner/run_line.h"
#include "core/run/runner/runner.h"
#include "core/run/words/events.h"
#include "core/run/worker/launcher.h"
#include "core/study/study.h"

#include <QTimer>

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
    void sendQueue(const RunQueue& queue) { send(queueEvent({queue.ids().begin(), queue.ids().end()})); }
    /// The record of this run is on disk.
    void announceRecord(const study::Run& run, const char* event);

private:
    Runner& m_runner;
    std::optional<EventWriter> m_events;
};

/// Takes the records of a study's runs to disk, and holds the runner while the study cannot be written.
class StudyRecords {
public:
    /// All must outlive it. `lookAfter` is called once a second; see lookAfterJournal().
    StudyRecords(study::Study& study, Announcer& announcer, std::function<void()> lookAfter);

    /// Opens the journal, which `lock` holds. Throws DocumentError.
    void open(const std::filesystem::path& document, std::optional<study::StudyLock>& lock);
    void reserve(std::size_t bytes) { m_keeper->reserve(bytes); }

    /// Journal first, then everybody else: nobody hears of a record that waits.
    void record(const study::Run& run, const char* event);

    /// Without its folder no run of the study can be executed.
    bool isFolderThere() const;
    /// Holds the runner where it is gone.
    void checkFolder();

    /// No further run is started; those in progress go on.
    bool isHeld() const { return m_isHeld; }
    /// The study's folder stays away: nobody waits for it any more.
    bool isGivenUp() const;
    std::string problem() const;

    /// Writes a journal again that somebody has removed or replaced, and, where the study is held, what
    /// waits. True where it was held and is so no longer, or is given up.
    bool lookAfterJournal();

    /// Puts everything into the study, or beside it, and closes the journal. Throws DocumentError where the
    /// study cannot be written.
    FoldOutcome finish();
    /// The runner cannot go on for some other reason: what is nowhere on disk, or whose document is gone, is
    /// left where it is found. Returns where, in a sentence; empty: in the journal.
    std::string rescue();
    /// Gives up what is not there.
    void close();

private:
    struct Untold {
        study::Run run;
        const char* event;
    };
    void hold();
    bool tryAgain();

    study::Study& m_study;
    Announcer& m_announcer;
    std::optional<RecordKeeper> m_keeper;
    std::vector<Untold> m_untold; ///< records that wait
    QTimer m_timer;
    bool m_isHeld = false;
    int m_looksForFolder = 0; ///< in vain, one after the other
};

} // namespace quadric::run
