// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/study_records.h"

#include "core/run/words/run_files.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"

namespace quadric::run {

namespace {

constexpr int kTryAgainMs = 1000;
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

StudyRecords::StudyRecords(study::Study& study, Announcer& announcer, std::function<void()> retry)
    : m_study(study)
    , m_announcer(announcer)
{
    QObject::connect(&m_timer, &QTimer::timeout, std::move(retry));
}

void StudyRecords::record(const study::Run& run, const char* event)
{
    study::Run& known = *study::findRun(m_study, run.id);
    m_keeper->rememberOriginal(known);
    known = run;
    m_keeper->append(known);
    m_announcer.announceRecord(run, event);
    if (!m_keeper->away().empty())
        hold();
}

void StudyRecords::hold()
{
    if (isHeld())
        return;
    m_announcer.send(problemEvent(problem()));
    m_timer.start(kTryAgainMs);
}

bool StudyRecords::isFolderThere() const
{
    return study::isThere(study::folderOf(study::resolved(m_keeper->document())));
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

bool StudyRecords::tryAgain()
{
    m_looksForFolder = isFolderThere() ? 0 : m_looksForFolder + 1;
    if (m_looksForFolder > 0)
        return false;
    const std::vector<study::Run> away = m_keeper->away();
    if (!m_keeper->restoreRecords())
        return false;
    m_timer.stop();
    m_announcer.send(problemEvent({}));
    // What was told meanwhile may not have reached the file of events.
    for (const study::Run& run : away)
        m_announcer.send(runEvent(statusEventName(run.status), run));
    return true;
}

FoldOutcome StudyRecords::finish()
{
    if (!m_keeper->restoreRecords() && isFolderThere())
        throw study::DocumentError(problem());
    FoldOutcome outcome = foldRecords(*m_keeper, m_study);
    close();
    return outcome;
}

std::string StudyRecords::rescue()
{
    if (!m_keeper)
        return {};
    const bool isHome = m_keeper->restoreRecords();
    const bool isElsewhere = !m_keeper->away().empty();
    const bool isThere = study::isThere(m_keeper->document());
    if (isThere && isElsewhere)
        return m_keeper->problem();
    return isThere && isHome ? std::string() : foldRecords(*m_keeper, m_study).problem;
}

void StudyRecords::close()
{
    m_keeper.reset();
    m_timer.stop();
}

} // namespace quadric::run
