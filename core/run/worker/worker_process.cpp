// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/worker_process.h"

#include "core/machine/ending_signals.h"
#include "core/machine/proc.h"
#include "core/machine/processor.h"
#include "core/machine/units_of_measure.h"
#include "core/run/launch/launch.h"

#include <QFileInfo>
#include <QSocketNotifier>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
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

constexpr int kMostRounds = 2000;
/// For which the second process of a guard is left alone: it ends everything itself, and would leave that
/// behind if this process were killed too.
constexpr int kRoundsOfGuard = 1000;
constexpr std::chrono::milliseconds kPause{1};

bool adopts()
{
    int adopts = 0;
    return ::prctl(PR_GET_CHILD_SUBREAPER, &adopts) == 0 && adopts != 0;
}

/// A guard leaves the session of this process, and none of its descendants can come back into it: a child in
/// another session that is no guard had one above it.
std::vector<pid_t> findOrphans(const std::set<std::int64_t>& guards)
{
    std::vector<pid_t> orphans;
    const pid_t ownSession = ::getsid(0);
    for (const pid_t child : machine::childrenOf("/", ::getpid())) {
        const pid_t session = ::getsid(child);
        if (session > 0 && session != ownSession && !guards.contains(child))
            orphans.push_back(child);
    }
    return orphans;
}

bool isGuard(pid_t process)
{
    std::error_code gone;
    return std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", gone).filename() ==
           "quadric-guard";
}

/// False for a process that is not ours to see, or is gone: reading it fails then, also half way.
bool hasInEnvironment(const std::filesystem::path& process, const std::string& wanted)
{
    std::ifstream file(process / "environ", std::ios::binary);
    for (std::string entry; std::getline(file, entry, '\0');) {
        if (entry == wanted)
            return true;
    }
    return false;
}

std::vector<pid_t> processesOf(const std::string& owner)
{
    const std::string entry = std::string(kOwnerVariable) + '=' + owner;
    std::vector<pid_t> found;
    std::error_code gone;
    std::filesystem::directory_iterator process("/proc", gone);
    for (; !gone && process != std::filesystem::directory_iterator(); process.increment(gone)) {
        const auto pid = static_cast<pid_t>(std::atol(process->path().filename().c_str()));
        if (pid > 1 && pid != ::getpid() && hasInEnvironment(process->path(), entry))
            found.push_back(pid);
    }
    return found;
}

/// Ends what killed guards left behind, and all that it started. `guards` are the processes of the guards
/// that live. Without adoptOrphans() nothing is done. Waits at most some seconds for what the kernel does not
/// let die; the next call tries again.
void endOrphans(const std::set<std::int64_t>& guards)
{
    if (!adopts())
        return;
    // The children of those that end become children of this process: a tree ends in some rounds.
    for (int round = 0; round < kMostRounds; ++round) {
        const std::vector<pid_t> orphans = findOrphans(guards);
        if (orphans.empty())
            return;
        for (const pid_t orphan : orphans) {
            if (round >= kRoundsOfGuard || !isGuard(orphan))
                ::kill(orphan, SIGKILL);
            ::waitpid(orphan, nullptr, WNOHANG);
        }
        std::this_thread::sleep_for(kPause);
    }
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
    end({kind, code, {}, seconds, m_limitFailure, m_memoryKills->countKillsSinceStart()});
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

void adoptOrphans()
{
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void endLeftovers(const std::string& owner)
{
    for (int round = 0; round < kMostRounds; ++round) {
        const std::vector<pid_t> left = processesOf(owner);
        if (left.empty())
            return;
        for (const pid_t process : left)
            ::kill(process, SIGKILL);
        std::this_thread::sleep_for(kPause);
    }
}

Termination::Termination(QObject* parent)
    : QObject(parent)
{
    const sigset_t caught = machine::endingSignals();
    pthread_sigmask(SIG_BLOCK, &caught, nullptr);
    m_file = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
    m_notifier = new QSocketNotifier(m_file, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Termination::read);
}

Termination::~Termination()
{
    delete m_notifier;
    ::close(m_file);
    const sigset_t caught = machine::endingSignals();
    pthread_sigmask(SIG_UNBLOCK, &caught, nullptr);
}

void Termination::read()
{
    signalfd_siginfo info{};
    bool isRequested = false;
    while (::read(m_file, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        isRequested = true;
    if (isRequested)
        emit requested();
}

} // namespace quadric::run
