// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/study_records.h"

#include "core/run/words/events.h"
#include "core/study/document.h"

namespace quadric::run {

namespace {

constexpr int kTryAgainMs = 1000;

} // namespace

StudyRecords::StudyRecords(study::Study& study, Announcer& announcer, std::function<void()> retry)
    : m_study(study)
    , m_announcer(announcer)
{
    QObject::connect(&m_timer, &QTimer::timeout, std::move(retry));
}

void StudyRecords::record(const study::Run& run, const char* event)
{
    m_keeper->append(run);
    *study::findRun(m_study, run.id) = run;
    m_announcer.tellRecord(run, event);
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

bool StudyRecords::tryAgain()
{
    const std::vector<study::Run> away = m_keeper->away();
    if (!m_keeper->bringHome())
        return false;
    m_timer.stop();
    m_announcer.send(problemEvent({}));
    // What was told meanwhile may not have reached the file of events.
    for (const study::Run& run : away)
        m_announcer.send(runEvent(eventOf(run.status), run));
    return true;
}

void StudyRecords::finish()
{
    if (!m_keeper->bringHome())
        throw study::DocumentError(problem());
    close();
}

void StudyRecords::close()
{
    m_keeper.reset();
    m_timer.stop();
}

} // namespace quadric::run
