// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/runner_state.h"

#include <QLocalSocket>

namespace quadric::run {

namespace {

/// A request is some dozen bytes; whoever sends much more without a line end is none of ours.
constexpr qint64 kMostRequestBytes = 4096;

ControlReply notUnderstood()
{
    return {false, QStringLiteral("not understood: expected {\"do\": \"pause\"}, or {\"do\": \"cancel\", "
                                  "\"run\": 4}; docs/running.md lists the requests")};
}

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

/// Later: the answer comes first, also where going on ends the runner.
void startDueRunsLater(RunnerState& state)
{
    QMetaObject::invokeMethod(
        &state.runner, [&state] { state.guarded([&state] { state.startDueRuns(); }); }, Qt::QueuedConnection);
}

ControlReply makeStatusReply(const RunnerState& state)
{
    if (!state.records.isHeld() && !state.pausedBecause.empty())
        return done(QStringLiteral("Paused. ") + QString::fromStdString(state.pausedBecause));
    if (!state.records.isHeld())
        return done(state.isPaused ? QStringLiteral("Paused.") : QStringLiteral("At work."));
    const QString problem = QString::fromStdString(state.records.problem());
    return {true, QStringLiteral("Waiting: ") + problem, problem};
}

ControlReply pause(RunnerState& state)
{
    if (!state.isPaused && !state.summary.isStopped) {
        state.isPaused = true;
        state.announcer.send(pausedEvent(true));
    }
    return done(state.active.empty()
                    ? QStringLiteral("Paused.")
                    : QStringLiteral("Paused: no further run is started; what is in progress "
                                     "goes on."));
}

ControlReply resume(RunnerState& state)
{
    if (!state.isPaused)
        return done(QStringLiteral("The runner was not paused."));
    if (!state.pausedBecause.empty())
        state.failures.accept();
    state.isPaused = false;
    state.pausedBecause.clear();
    state.announcer.send(pausedEvent(false));
    startDueRunsLater(state);
    return done(QStringLiteral("The runner goes on."));
}

ControlReply cancel(RunnerState& state, const study::Run& run)
{
    const auto found = state.active.find(run.id);
    if (found == state.active.end())
        return refused(stateOf(run) + QStringLiteral(", only a run in progress can be cancelled; a pending "
                                                     "one can be skipped."));
    found->second->stop(StopReason::Cancel);
    return done(QStringLiteral("Run %1 is being cancelled.").arg(run.id));
}

ControlReply skip(RunnerState& state, const study::Run& run)
{
    if (const auto found = state.active.find(run.id); found != state.active.end()) {
        found->second->stop(StopReason::Skip);
        return done(QStringLiteral("Run %1 is being ended and stays pending.").arg(run.id));
    }
    if (!state.line.queue().remove(run.id))
        return refused(stateOf(run) + QStringLiteral(" and not in the queue."));
    state.line.giveUp(run.id);
    state.announcer.sendQueue(state.line.queue());
    return done(QStringLiteral("Run %1 is skipped this time.").arg(run.id));
}

ControlReply retry(RunnerState& state, const study::Run& run)
{
    if (state.active.contains(run.id) || state.line.queue().contains(run.id))
        return refused(QStringLiteral("Run %1 is in progress or in the queue already.").arg(run.id));
    if (run.status == RunStatus::Excluded)
        return refused(stateOf(run) + QStringLiteral(", include it first."));
    const int id = run.id; // what joins the queue may be new among the runs
    state.line.enqueue(id);
    state.announcer.sendQueue(state.line.queue());
    if (!state.isPaused)
        startDueRunsLater(state);
    return done(QStringLiteral("Run %1 is measured again at the end of the queue.").arg(id));
}

ControlReply first(RunnerState& state, const study::Run& run)
{
    const bool isSkipped = run.status == RunStatus::Pending && !state.active.contains(run.id);
    if (!state.line.queue().remove(run.id) && !isSkipped)
        return refused(stateOf(run) + QStringLiteral(" and not in the queue."));
    state.line.queue().prepend(run.id);
    state.announcer.sendQueue(state.line.queue());
    return done(QStringLiteral("Run %1 comes next.").arg(run.id));
}

ControlReply handleRun(RunnerState& state, ControlAction action, const study::Run& run)
{
    if (state.summary.isStopped)
        return refused(QStringLiteral("The runner is stopping."));
    switch (action) {
    case ControlAction::Cancel:
        return cancel(state, run);
    case ControlAction::Skip:
        return skip(state, run);
    case ControlAction::Retry:
        return retry(state, run);
    default:
        return first(state, run);
    }
}

} // namespace

ControlServer::ControlServer(const std::filesystem::path& document, RunnerState& state)
    : m_state(state)
{
    connect(&m_server, &QLocalServer::newConnection, this, &ControlServer::greet);
    const QString name = controlSocket(document);
    if (name.isEmpty())
        return;
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    QLocalServer::removeServer(name); // left by a runner that was killed; the study's lock is ours
    m_server.listen(name);
}

void ControlServer::greet()
{
    while (QLocalSocket* client = m_server.nextPendingConnection()) {
        connect(client, &QLocalSocket::disconnected, client, &QObject::deleteLater);
        connect(client, &QLocalSocket::readyRead, this, [this, client] { answer(*client); });
        answer(*client);
    }
}

void ControlServer::answer(QLocalSocket& client)
{
    while (client.canReadLine()) {
        const auto request = readRequest(client.readLine().trimmed());
        client.write(writeReply(request ? m_state.handle(*request) : notUnderstood()) + '\n');
        client.flush();
    }
    if (client.bytesAvailable() > kMostRequestBytes)
        client.abort();
}

ControlReply RunnerState::handle(const ControlRequest& request)
{
    if (hasEnded)
        return refused(QStringLiteral("The runner is ending."));
    if (isAboutARun(request.action)) {
        const study::Run* run = study::findRun(study, request.run);
        return run ? handleRun(*this, request.action, *run)
                   : refused(QStringLiteral("The study has no run %1.").arg(request.run));
    }
    switch (request.action) {
    case ControlAction::Pause:
        return pause(*this);
    case ControlAction::Resume:
        return resume(*this);
    case ControlAction::Stop:
        return stop();
    default:
        return makeStatusReply(*this);
    }
}

ControlReply RunnerState::stop()
{
    if (summary.isStopped || hasEnded)
        return done(QStringLiteral("The runner is stopping already."));
    summary.isStopped = true;
    for (const auto& [id, run] : active)
        run->stop(StopReason::Stop);
    if (active.empty())
        startDueRunsLater(*this);
    return done(QStringLiteral("Stopping: what is in progress goes back to pending."));
}

} // namespace quadric::run
