// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner_state.h"

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

ControlReply Runner::State::handle(const ControlRequest& request)
{
    if (hasEnded)
        return refused(QStringLiteral("The runner is ending."));
    if (isAboutARun(request.action)) {
        const study::Run* run = study::findRun(study, request.run);
        return run ? handleRun(request.action, *run)
                   : refused(QStringLiteral("The study has no run %1.").arg(request.run));
    }
    switch (request.action) {
    case ControlAction::Pause:
        return pause();
    case ControlAction::Resume:
        return resume();
    case ControlAction::Stop:
        return requestStop();
    default:
        return tellStatus();
    }
}

ControlReply Runner::State::tellStatus() const
{
    if (!isHeld())
        return done(isPaused ? QStringLiteral("Paused.") : QStringLiteral("At work."));
    const QString problem = QString::fromStdString(records->problem());
    return {true, QStringLiteral("Waiting: ") + problem, problem};
}

ControlReply Runner::State::handleRun(ControlAction action, const study::Run& run)
{
    if (summary.isStopped)
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

ControlReply Runner::State::pause()
{
    if (!isPaused && !summary.isStopped) {
        isPaused = true;
        send(pausedEvent(true));
    }
    return done(active.empty() ? QStringLiteral("Paused.")
                               : QStringLiteral("Paused: no further run is started; what is in progress "
                                                "goes on."));
}

ControlReply Runner::State::resume()
{
    if (!isPaused)
        return done(QStringLiteral("It was not paused."));
    isPaused = false;
    send(pausedEvent(false));
    // Later: the answer comes first, also where this ends the runner.
    QMetaObject::invokeMethod(
        &runner, [this] { guarded([this] { goOn(); }); }, Qt::QueuedConnection);
    return done(QStringLiteral("It goes on."));
}

ControlReply Runner::State::requestStop()
{
    if (summary.isStopped || hasEnded)
        return done(QStringLiteral("It is stopping already."));
    summary.isStopped = true;
    for (const auto& [id, run] : active)
        run->stop(StopReason::Stop);
    if (active.empty())
        QMetaObject::invokeMethod(
            &runner, [this] { guarded([this] { goOn(); }); }, Qt::QueuedConnection);
    return done(QStringLiteral("Stopping: what is in progress goes back to pending."));
}

ControlReply Runner::State::cancel(const study::Run& run)
{
    const auto found = active.find(run.id);
    if (found == active.end())
        return refused(stateOf(run) + QStringLiteral(", only a run in progress can be cancelled; a waiting "
                                                     "one can be skipped."));
    found->second->stop(StopReason::Cancel);
    return done(QStringLiteral("Run %1 is being cancelled.").arg(run.id));
}

ControlReply Runner::State::skip(const study::Run& run)
{
    if (const auto found = active.find(run.id); found != active.end()) {
        found->second->stop(StopReason::Skip);
        return done(QStringLiteral("Run %1 is being ended and stays pending.").arg(run.id));
    }
    if (!queue.remove(run.id))
        return refused(stateOf(run) + QStringLiteral(" and not in the queue."));
    baselines.giveUp(run.id);
    sendQueue();
    return done(QStringLiteral("Run %1 is left out this time.").arg(run.id));
}

ControlReply Runner::State::retry(const study::Run& run)
{
    if (active.contains(run.id) || queue.contains(run.id))
        return refused(QStringLiteral("Run %1 is in progress or in the queue already.").arg(run.id));
    if (run.status == RunStatus::Excluded)
        return refused(stateOf(run) + QStringLiteral(", include it first."));
    const int id = run.id; // what joins the queue may be new among the runs
    enqueue(id);
    sendQueue();
    if (!isPaused)
        QMetaObject::invokeMethod(
            &runner, [this] { guarded([this] { goOn(); }); }, Qt::QueuedConnection);
    return done(QStringLiteral("Run %1 is measured again at the end of the queue.").arg(id));
}

ControlReply Runner::State::first(const study::Run& run)
{
    const bool isSkipped = run.status == RunStatus::Pending && !active.contains(run.id);
    if (!queue.remove(run.id) && !isSkipped)
        return refused(stateOf(run) + QStringLiteral(" and not in the queue."));
    queue.prepend(run.id);
    sendQueue();
    return done(QStringLiteral("Run %1 comes next.").arg(run.id));
}

} // namespace quadric::run
