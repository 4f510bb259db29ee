// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/study_records.h"

#include "core/run/words/run_files.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"

#include <utility>

namespace quadric::run {

namespace {

constexpr int kLookMs = 1000;
constexpr int kMostLooksForFolder = 3;

} // namespace

void Announcer::send(const QByteArray& event)
{
    if (m_events)
        m_events->write(event);
    emit m_runner.eventWritten(event);
}

void Announcer::announceRecord(const study::Run& run, const char* event)
{
    send(runEvent(event, run));
    emit m_runner.runRecorded(run);
}

StudyRecords::StudyRecords(study::Study& study, Announcer& announcer, std::function<void()> lookAfter)
    : m_study(study)
    , m_announcer(announcer)
{
    QObject::connect(&m_timer, &QTimer::timeout, std::move(lookAfter));
}

void StudyRecords::open(const std::filesystem::path& document, std::optional<study::StudyLock>& lock)
{
    m_keeper.emplace(document, m_study, lock);
    m_timer.start(kLookMs);
}

void StudyRecords::record(const study::Run& run, const char* event)
{
    study::Run& known = *study::findRun(m_study, run.id);
    m_keeper->rememberResult(known);
    known = run;
    m_keeper->append(known);
    if (m_keeper->waiting().empty()) {
        m_announcer.announceRecord(run, event);
        return;
    }
    m_untold.push_back({run, event});
    hold();
}

void StudyRecords::hold()
{
    if (isHeld())
        return;
    m_isHeld = true;
    m_announcer.send(problemEvent(problem()));
}

bool StudyRecords::isFolderThere() const
{
    return study::isThere(study::folderOf(m_keeper->document()));
}

void StudyRecords::checkFolder()
{
    if (!isFolderThere())
        hold();
}

bool StudyRecords::isGivenUp() const
{
    return m_looksForFolder >= kMostLooksForFolder;
}

std::string StudyRecords::problem() const
{
    return m_keeper->problem().empty() ? m_keeper->document().string() + " is gone with its folder"
                                       : m_keeper->problem();
}

bool StudyRecords::lookAfterJournal()
{
    if (!isHeld() && !m_keeper->isSafe() && !m_keeper->writeWaiting())
        hold();
    return isHeld() && (tryAgain() || isGivenUp());
}

/// False while the study still cannot be written. Otherwise it is held no longer, and everybody knows.
bool StudyRecords::tryAgain()
{
    m_looksForFolder = isFolderThere() ? 0 : m_looksForFolder + 1;
    if (m_looksForFolder > 0)
        return false;
    if (!m_keeper->writeWaiting())
        return false;
    m_isHeld = false;
    m_announcer.send(problemEvent({}));
    for (const Untold& untold : std::exchange(m_untold, {}))
        m_announcer.announceRecord(untold.run, untold.event);
    return true;
}

FoldOutcome StudyRecords::finish()
{
    FoldOutcome outcome = foldRecords(*m_keeper, m_study);
    close();
    return outcome;
}

std::string StudyRecords::rescue()
{
    if (!m_keeper)
        return {};
    const bool isSafe = m_keeper->writeWaiting() && study::isFileThere(m_keeper->document());
    return isSafe ? std::string() : foldRecords(*m_keeper, m_study).problem;
}

void StudyRecords::close()
{
    m_keeper.reset();
    m_timer.stop();
    m_isHeld = false;
}

} // namespace quadric::run
