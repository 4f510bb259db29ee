// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/worker_process.h"

#include "core/machine/affinity.h"
#include "core/machine/memory_units.h"
#include "core/machine/proc.h"
#include "core/run/launch/launch.h"
#include "core/run/worker/orphans.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <set>
#include <unistd.h>

namespace quadric::run {

namespace {

/// How long the guard may take to end everything after SIGTERM before it is killed itself.
constexpr int kGuardPatienceMs = 8000;

/// Longest time limit that fits QTimer, in seconds: 24 days.
constexpr double kLongestTimeout = 2.0e6;

constexpr int kMemoryPauseMs = 250;
/// Counting shares takes at most one part in so many of the time.
constexpr qint64 kPausesPerCount = 10;

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

std::set<std::int64_t>& livingGuards()
{
    static std::set<std::int64_t> guards;
    return guards;
}

/// Who starts this program may have made it ignore the end of its children; their status would be lost.
void noticeEndsOfChildren()
{
    struct sigaction action = {};
    if (::sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
        std::signal(SIGCHLD, SIG_DFL);
}

/// The process that will be started, and all that it starts, get these processors and no others. One that
/// cannot have them any more (taken away meanwhile) ends at once, and says why in the log of its run.
void confineTo(QProcess& process, const std::vector<int>& cpus)
{
    process.setChildProcessModifier([mask = machine::CpuMask(cpus)] {
        constexpr std::string_view kProblem =
            "quadric: the processors set aside for this run cannot be used\n";
        constexpr int kCannotConfine = 126;
        if (mask.apply())
            return;
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kProblem.data(), kProblem.size());
        ::_exit(kCannotConfine);
    });
}

} // namespace

WorkerProcess::WorkerProcess(std::filesystem::path root, QObject* parent)
    : RunProcess(parent)
    , m_root(std::move(root))
{
    m_timeout.setSingleShot(true);
    m_killTimer.setSingleShot(true);
    m_process.setStandardInputFile(QProcess::nullDevice());
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { pass(m_process.readAllStandardOutput(), &RunProcess::standardOutput); });
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { pass(m_process.readAllStandardError(), &RunProcess::standardError); });
    connect(&m_process, &QProcess::started, this, [this] {
        m_guardPid = m_process.processId();
        emit started();
    });
    connect(&m_process, &QProcess::errorOccurred, this, &WorkerProcess::processFailed);
    connect(&m_process, &QProcess::finished, this, &WorkerProcess::processFinished);
    connect(&m_timeout, &QTimer::timeout, this, [this] { terminate(WorkerExit::Kind::TimedOut); });
    connect(&m_memoryTimer, &QTimer::timeout, this, &WorkerProcess::watchMemory);
    connect(&m_killTimer, &QTimer::timeout, this, &WorkerProcess::killAll);
}

WorkerProcess::~WorkerProcess()
{
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning)
        return;
    terminate(WorkerExit::Kind::Stopped);
    if (!m_process.waitForFinished(kGuardPatienceMs)) {
        killAll();
        m_process.waitForFinished();
    }
    endWhatIsLeft();
}

void WorkerProcess::start(const Launch& launch, const RunLimits& limits)
{
    m_clock.start();
    m_limits = limits;
    m_memoryKills.emplace(m_root);
    if (const std::string problem = problemOf(launch); !problem.empty()) {
        end({WorkerExit::Kind::NotStarted, 0, problem, 0.0, {}});
        return;
    }
    m_process.setProgram(guardProgram());
    m_process.setArguments(QStringList{QString::number(::getpid()), launch.program} + launch.arguments);
    QProcessEnvironment environment = launch.environment;
    if (!launch.owner.isEmpty())
        environment.insert(QLatin1String(kOwnerVariable), launch.owner);
    m_process.setProcessEnvironment(environment);
    m_process.setWorkingDirectory(launch.folder);
    m_timeout.start(static_cast<int>(1000.0 * std::min(limits.seconds, kLongestTimeout)));
    if (limits.memoryMib > 0.0)
        m_memoryTimer.start(kMemoryPauseMs);
    noticeEndsOfChildren();
    if (!launch.cpus.empty())
        confineTo(m_process, launch.cpus);
    m_process.start(QIODevice::ReadOnly);
    m_childPid = m_process.processId();
    if (m_childPid > 0)
        livingGuards().insert(m_childPid);
}

void WorkerProcess::stop()
{
    terminate(WorkerExit::Kind::Stopped);
}

double WorkerProcess::elapsedSeconds() const
{
    return m_clock.isValid() ? static_cast<double>(m_clock.elapsed()) / 1000.0 : 0.0;
}

/// What a worker prints after it was told to end is of no use to anybody, and may never end.
void WorkerProcess::pass(const QByteArray& bytes, void (RunProcess::*signal)(const QByteArray&))
{
    if (m_limitFailure)
        return;
    m_printedBytes += static_cast<double>(bytes.size());
    emit(this->*signal)(bytes);
    if (m_printedBytes > m_limits.outputMib * machine::kBytesPerMib)
        endForLimit("bad-output",
                    "The program printed more than " + study::toText(m_limits.outputMib) + " MiB");
}

void WorkerProcess::watchMemory()
{
    if (m_guardPid <= 0)
        return;
    const std::vector<int> tree = machine::processTree("/", static_cast<int>(m_guardPid));
    QElapsedTimer clock;
    clock.start();
    // Shares need not be counted where even the whole is below the limit.
    double used = machine::residentMemoryMib("/", tree);
    if (used > m_limits.memoryMib)
        used = machine::proportionalMemoryMib("/", tree);
    m_memoryTimer.setInterval(
        static_cast<int>(std::max<qint64>(kMemoryPauseMs, kPausesPerCount * clock.elapsed())));
    if (used > m_limits.memoryMib)
        endForLimit("out-of-memory", "The program used " + study::toText(std::round(used)) +
                                         " MiB of memory, the limit is " + study::toText(m_limits.memoryMib) +
                                         " MiB");
}

void WorkerProcess::endForLimit(const char* kind, const std::string& message)
{
    if (m_hasEnded || m_endReason)
        return;
    m_limitFailure = study::Failure{kind, message, {}};
    terminate(WorkerExit::Kind::Signalled);
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
        pass(rest, &RunProcess::standardOutput);
    if (const QByteArray rest = m_process.readAllStandardError(); !rest.isEmpty())
        pass(rest, &RunProcess::standardError);
    const auto natural =
        status == QProcess::CrashExit ? WorkerExit::Kind::Signalled : WorkerExit::Kind::Exited;
    const auto kind = m_endReason.value_or(natural);
    const double seconds =
        kind == WorkerExit::Kind::TimedOut ? m_timeout.interval() / 1000.0 : elapsedSeconds();
    end({kind, code, {}, seconds, m_limitFailure, m_memoryKills->sinceThen()});
}

void WorkerProcess::end(const WorkerExit& exit)
{
    if (m_hasEnded)
        return;
    m_hasEnded = true;
    m_timeout.stop();
    m_memoryTimer.stop();
    m_killTimer.stop();
    endWhatIsLeft();
    emit ended(exit);
}

/// Nothing, unless the guard was killed before it had ended everything.
void WorkerProcess::endWhatIsLeft()
{
    livingGuards().erase(m_childPid);
    endOrphans(livingGuards());
}

} // namespace quadric::run
