// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker_process.h"

#include "core/run/launch.h"

#include <QFileInfo>

#include <algorithm>
#include <unistd.h>

namespace quadric::run {

namespace {

/// How long the guard may take to end everything after SIGTERM before it is killed itself.
constexpr int kGuardPatienceMs = 6000;

/// Longest time limit that fits QTimer, in seconds: 24 days.
constexpr double kLongestTimeout = 2.0e6;

/// Why the worker cannot be started; empty when it can.
std::string problemOf(const Launch& launch)
{
    const QFileInfo program(launch.program);
    if (guardProgram().isEmpty())
        return "quadric-guard is not installed: it is neither beside this program nor on the PATH";
    if (!program.isAbsolute() || !program.isFile())
        return "cannot start " + launch.program.toStdString() + ": there is no such program";
    if (!program.isExecutable())
        return "cannot start " + launch.program.toStdString() + ": it may not be executed";
    if (!QFileInfo(launch.folder).isDir())
        return "cannot start in " + launch.folder.toStdString() + ": there is no such folder";
    return {};
}

} // namespace

WorkerProcess::WorkerProcess(QObject* parent)
    : RunProcess(parent)
{
    m_timeout.setSingleShot(true);
    m_killTimer.setSingleShot(true);
    m_process.setStandardInputFile(QProcess::nullDevice());
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { emit standardOutput(m_process.readAllStandardOutput()); });
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { emit standardError(m_process.readAllStandardError()); });
    connect(&m_process, &QProcess::started, this, [this] {
        m_guardPid = m_process.processId();
        emit started();
    });
    connect(&m_process, &QProcess::errorOccurred, this, &WorkerProcess::processFailed);
    connect(&m_process, &QProcess::finished, this, &WorkerProcess::processFinished);
    connect(&m_timeout, &QTimer::timeout, this, [this] { terminate(WorkerExit::Kind::TimedOut); });
    connect(&m_killTimer, &QTimer::timeout, this, &WorkerProcess::killAll);
}

WorkerProcess::~WorkerProcess()
{
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning)
        return;
    terminate(WorkerExit::Kind::Stopped);
    if (!m_process.waitForFinished(kGuardPatienceMs))
        killAll();
}

void WorkerProcess::start(const Launch& launch, const RunLimits& limits)
{
    m_clock.start();
    if (const std::string problem = problemOf(launch); !problem.empty()) {
        end({WorkerExit::Kind::NotStarted, 0, problem, 0.0, {}});
        return;
    }
    m_process.setProgram(guardProgram());
    m_process.setArguments(QStringList{QString::number(::getpid()), launch.program} + launch.arguments);
    m_process.setProcessEnvironment(launch.environment);
    m_process.setWorkingDirectory(launch.folder);
    m_timeout.start(static_cast<int>(1000.0 * std::min(limits.seconds, kLongestTimeout)));
    m_process.start(QIODevice::ReadOnly);
}

void WorkerProcess::stop()
{
    terminate(WorkerExit::Kind::Stopped);
}

double WorkerProcess::elapsedSeconds() const
{
    return m_clock.isValid() ? static_cast<double>(m_clock.elapsed()) / 1000.0 : 0.0;
}

void WorkerProcess::terminate(WorkerExit::Kind reason)
{
    if (m_hasEnded || m_endReason)
        return;
    m_endReason = reason;
    m_killTimer.start(kGuardPatienceMs);
    m_process.terminate();
}

void WorkerProcess::killAll()
{
    if (m_guardPid > 0 && m_process.state() != QProcess::NotRunning)
        m_process.kill();
}

void WorkerProcess::processFailed(QProcess::ProcessError error)
{
    if (error != QProcess::FailedToStart)
        return;
    end({m_endReason.value_or(WorkerExit::Kind::NotStarted),
         0,
         "cannot start " + m_process.program().toStdString() + ": " + m_process.errorString().toStdString(),
         0.0,
         {}});
}

void WorkerProcess::processFinished(int code, QProcess::ExitStatus status)
{
    if (const QByteArray rest = m_process.readAllStandardOutput(); !rest.isEmpty())
        emit standardOutput(rest);
    if (const QByteArray rest = m_process.readAllStandardError(); !rest.isEmpty())
        emit standardError(rest);
    const auto natural =
        status == QProcess::CrashExit ? WorkerExit::Kind::Signalled : WorkerExit::Kind::Exited;
    const auto kind = m_endReason.value_or(natural);
    const double seconds =
        kind == WorkerExit::Kind::TimedOut ? m_timeout.interval() / 1000.0 : elapsedSeconds();
    end({kind, code, {}, seconds, {}});
}

void WorkerProcess::end(const WorkerExit& exit)
{
    if (m_hasEnded)
        return;
    m_hasEnded = true;
    m_timeout.stop();
    m_killTimer.stop();
    emit ended(exit);
}

} // namespace quadric::run
