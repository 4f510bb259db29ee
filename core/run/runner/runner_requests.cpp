// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/runner_requests.h"

#include "core/run/runner/runner_state.h"

namespace quadric::run {

namespace {

using study::RunStatus;

ControlReply done(const QString& message)
{
    return {true, message, {}};
}

ControlReply refused(const QString& message)
{
    return {false, message, {}};
}

/// "Run 4 is …": the state of a run that does not suit a request.
QString stateOf(const study::Run& run)
{
    return QStringLiteral("Run %1 is %2").arg(run.id).arg(QString::fromUtf8(nameOf(run.status).data()));
}

} // namespace

ControlReply RunnerRequests::handle(const ControlRequest& request)
{
    if (m_state.hasEnded)
        return refused(QStringLiteral("The runner is ending."));
    if (isAboutARun(request.action)) {
        const study::Run* run = study::findRun(m_state.study, request.run);
        return run ? handleRun(request.action, *run)
                   : refused(QStringLiteral("The study has no run %1.").arg(request.run));
    }
    switch (request.action) {
    case ControlAction::Pause:
        return pause();
    case ControlAction::Resume:
        return resume();
    case ControlAction::Stop:
        return stop();
    default:
        return tellStatus();
    }
}

ControlReply RunnerRequests::tellStatus() const
{
    if (!m_state.records.isHeld() && !m_state.pausedBecause.empty())
        return done(QStringLiteral("Paused. ") + QString::fromStdString(m_state.pausedBecause));
    if (!m_state.records.isHeld())
        return done(m_state.isPaused ? QStringLiteral("Paused.") : QStringLiteral("At work."));
    const QString problem = QString::fromStdString(m_state.records.problem());
    return {true, QStringLiteral("Waiting: ") + problem, problem};
}

ControlReply RunnerRequests::handleRun(ControlAction action, const study::Run& run)
{
    if (m_state.summary.isStopped)
        return refused(QStringLiteral("The runner is stopping."));
    switch (action) {
    case ControlAction::Cancel:
        return cancel(run);
    case ControlAction::Skip:
        return skip(run);
    case ControlAction::Retry:
        return retry(run);
    default:
        return first(run);
    }
}

ControlReply RunnerRequests::pause()
{
    if (!m_state.isPaused && !m_state.summary.isStopped) {
        m_state.isPaused = true;
        m_state.announcer.send(pausedEvent(true));
    }
    return done(m_state.active.empty()
                    ? QStringLiteral("Paused.")
                    : QStringLiteral("Paused: no further run is started; what is in progress "
                                     "goes on."));
}

ControlReply RunnerRequests::resume()
{
    if (!m_state.isPaused)
        return done(QStringLiteral("The runner was not paused."));
    if (!m_state.pausedBecause.empty())
        m_state.failures.accept();
    m_state.isPaused = false;
    m_state.pausedBecause.clear();
    m_state.announcer.send(pausedEvent(false));
    goOnLater();
    return done(QStringLiteral("The runner goes on."));
}

ControlReply RunnerRequests::stop()
{
    if (m_state.summary.isStopped || m_state.hasEnded)
        return done(QStringLiteral("The runner is stopping already."));
    m_state.summary.isStopped = true;
    for (const auto& [id, run] : m_state.active)
        run->stop(StopReason::Stop);
    if (m_state.active.empty())
        goOnLater();
    return done(QStringLiteral("Stopping: what is in progress goes back to pending."));
}

ControlReply RunnerRequests::cancel(const study::Run& run)
{
    const auto found = m_state.active.find(run.id);
    if (found == m_state.active.end())
        return refused(stateOf(run) + QStringLiteral(", only a run in progress can be cancelled; a pending "
                                                     "one can be skipped."));
    found->second->stop(StopReason::Cancel);
    return done(QStringLiteral("Run %1 is being cancelled.").arg(run.id));
}

ControlReply RunnerRequests::skip(const study::Run& run)
{
    if (const auto found = m_state.active.find(run.id); found != m_state.active.end()) {
        found->second->stop(StopReason::Skip);
        return done(QStringLiteral("Run %1 is being ended and stays pending.").arg(run.id));
    }
    if (!m_state.line.queue().remove(run.id))
        return refused(stateOf(run) + QStringLiteral(" and not in the queue."));
    m_state.line.giveUp(run.id);
    m_state.announcer.sendQueue(m_state.line.queue());
    return done(QStringLiteral("Run %1 is skipped this time.").arg(run.id));
}

ControlReply RunnerRequests::retry(const study::Run& run)
{
    if (m_state.active.contains(run.id) || m_state.line.queue().contains(run.id))
        return refused(QStringLiteral("Run %1 is in progress or in the queue already.").arg(run.id));
    if (run.status == RunStatus::Excluded)
        return refused(stateOf(run) + QStringLiteral(", include it first."));
    const int id = run.id; // what joins the queue may be new among the runs
    m_state.line.enqueue(id);
    m_state.announcer.sendQueue(m_state.line.queue());
    if (!m_state.isPaused)
        goOnLater();
    return done(QStringLiteral("Run %1 is measured again at the end of the queue.").arg(id));
}

ControlReply RunnerRequests::first(const study::Run& run)
{
    const bool isSkipped = run.status == RunStatus::Pending && !m_state.active.contains(run.id);
    if (!m_state.line.queue().remove(run.id) && !isSkipped)
        return refused(stateOf(run) + QStringLiteral(" and not in the queue."));
    m_state.line.queue().prepend(run.id);
    m_state.announcer.sendQueue(m_state.line.queue());
    return done(QStringLiteral("Run %1 comes next.").arg(run.id));
}

void RunnerRequests::goOnLater()
{
    QMetaObject::invokeMethod(
        &m_state.runner, [&state = m_state] { state.guarded([&state] { state.goOn(); }); },
        Qt::QueuedConnection);
}

} // namespace quadric::run
