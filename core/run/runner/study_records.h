// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/runner/announcer.h"
#include "core/run/runner/record_keeper.h"
#include "core/study/study.h"

#include <QTimer>

#include <optional>

namespace quadric::run {

/// Takes the records of a study's runs to disk, and holds the runner while the study cannot be written.
class StudyRecords {
public:
    /// Both must outlive it. `retry` is called once a second while records are elsewhere; see tryAgain().
    StudyRecords(study::Study& study, Announcer& announcer, std::function<void()> retry);

    /// Opens the journal. Throws DocumentError.
    void open(const std::filesystem::path& document) { m_keeper.emplace(document); }
    void reserve(std::size_t bytes) { m_keeper->reserve(bytes); }

    /// Journal first, then everybody else.
    void record(const study::Run& run, const char* event);

    /// No further run is started; those in progress go on.
    bool isHeld() const { return m_timer.isActive(); }
    const std::string& problem() const { return m_keeper->problem(); }

    /// False while the study still cannot be written. Otherwise it is held no longer, and everybody knows.
    bool tryAgain();

    /// Everything is in the journal, which is closed. Throws DocumentError where it cannot be written.
    void finish();
    /// Gives up what is not there.
    void close();

private:
    void hold();

    study::Study& m_study;
    Announcer& m_announcer;
    std::optional<RecordKeeper> m_keeper;
    QTimer m_timer;
};

} // namespace quadric::run
