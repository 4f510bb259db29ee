// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/launch.h"

#include "core/machine/processor.h"
#include "core/run/words/events.h"
#include "core/run/words/run_files.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/study/files/journal.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QThread>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quadric::run {

namespace {

constexpr int kStartPatienceMs = 3000;
constexpr int kStartPollMs = 10;

QString programItself()
{
    const QString other = qEnvironmentVariable("QUADRIC_PROGRAM");
    return other.isEmpty() ? QCoreApplication::applicationFilePath() : other;
}

/// Alive and not only waiting to be reaped, which may take for ever in a container.
bool isProcessAlive(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = file.readAll();
    const qsizetype afterName = text.lastIndexOf(')');
    return afterName > 0 && text.mid(afterName + 2, 1) != "Z";
}

/// The runner has checked the study and is at work, or has been and found nothing to do.
bool hasBegun(const std::filesystem::path& document, qint64 pid)
{
    const QByteArray news = openEventTail(document).readLines().text;
    return news.left(news.indexOf('\n')).contains("\"pid\":" + QByteArray::number(pid) + ",");
}

std::filesystem::path runnerLog(const std::filesystem::path& document)
{
    return logFolder(document) / "runner.log";
}

/// What is told on standard error: a sentence, or the warnings of a study.
QString lastWords(const study::FileHandle& log, const std::filesystem::path& path)
{
    constexpr std::size_t kMostBytes = 65536;
    const QString text = QString::fromStdString(study::readPart(log, 0, kMostBytes, path)).trimmed();
    return text.isEmpty() ? QStringLiteral("the background runner ended at once without a message") : text;
}

/// Until the runner is at work; that it owns the study is not enough, it may still refuse it. Empty, or what
/// it said before it ended.
QString waitUntilBegun(const std::filesystem::path& document, qint64 pid, const study::FileHandle& log)
{
    QDeadlineTimer deadline(kStartPatienceMs);
    while (!deadline.hasExpired()) {
        const bool isAlive = isProcessAlive(pid); // first: what it wrote before it ended is there now
        if (hasBegun(document, pid))
            return {};
        if (!isAlive)
            return lastWords(log, runnerLog(document));
        QThread::msleep(kStartPollMs);
    }
    return {};
}

QString startUnowned(const std::filesystem::path& document, const QStringList& arguments)
{
    const study::FileHandle log =
        study::openCompanion(runnerLog(document), study::CompanionUse::CreateAnew, logFolder(document));
    QProcess process;
    process.setProgram(programItself());
    process.setArguments(QStringList{QStringLiteral("run"), QString::fromStdString(document.string()),
                                     QStringLiteral("--events")} +
                         arguments);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    // The open file itself: whatever gets its name meanwhile is not written.
    process.setStandardErrorFile(QStringLiteral("/proc/self/fd/%1").arg(log.get()), QIODevice::Append);
    process.setWorkingDirectory(QDir::currentPath());
    qint64 pid = 0;
    if (!process.startDetached(&pid))
        return QStringLiteral("cannot start %1: %2").arg(process.program(), process.errorString());
    return waitUntilBegun(document, pid, log);
}

/// What to do where the reason is the folder.
QString adviceFor(const std::filesystem::path& document)
{
    const std::filesystem::path folder = study::folderOf(document);
    return ::access(folder.c_str(), W_OK) == 0
               ? QString()
               : QStringLiteral(
                     ". Runs are written down beside the study: make %1 writable, or save the study "
                     "in another folder")
                     .arg(QString::fromStdString(folder.string()));
}

QString executableIn(const QString& folder, const QString& name)
{
    const QFileInfo file(folder + QLatin1Char('/') + name);
    return file.isFile() && file.isExecutable() ? file.absoluteFilePath() : QString();
}

QString besideOrOnPath(const QString& name)
{
    const QString beside = executableIn(QCoreApplication::applicationDirPath(), name);
    return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

using Json = nlohmann::json;

constexpr std::chrono::seconds kLongestAnswer{30};

std::string textOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double numberOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

Json listOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_array() ? *found : Json::array();
}

std::string userOf(const Json& user)
{
    const std::string number = "process " + std::to_string(static_cast<long>(numberOf(user, "pid")));
    const std::string name = textOf(user, "name");
    return name.empty() ? number : name + " (" + number + ")";
}

std::string usersOf(const Json& gpu)
{
    std::string users;
    for (const Json& user : listOf(gpu, "used_by")) {
        users += users.empty() ? "" : ", ";
        users += userOf(user);
    }
    return users;
}

TrainerGpu gpuOf(const Json& json)
{
    constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
    TrainerGpu gpu;
    gpu.index = static_cast<int>(numberOf(json, "index"));
    gpu.name = textOf(json, "name");
    gpu.pci = textOf(json, "pci");
    gpu.memoryGib = numberOf(json, "memory_bytes") / kGib;
    gpu.freeGib = numberOf(json, "memory_free_bytes") / kGib;
    for (const Json& peer : listOf(json, "nvlink_peers")) {
        if (peer.is_number_integer())
            gpu.nvlinkPeers.push_back(peer.get<int>());
    }
    gpu.users = usersOf(json);
    return gpu;
}

/// The copy may have to wait for a processor; one that never gets any is not waited for.
constexpr double kLongestWait = 20.0; ///< in units of the processor time

void limitProcessorTime(double seconds)
{
    std::signal(SIGPROF, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    itimerval limit = {};
    limit.it_value.tv_sec = static_cast<time_t>(seconds);
    limit.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
    setitimer(ITIMER_PROF, &limit, nullptr);
}

void writeAll(int file, const std::string& text)
{
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = ::write(file, text.data() + done, text.size() - done);
        if (written <= 0)
            return;
        done += static_cast<std::size_t>(written);
    }
}

[[noreturn]] void workAsCopy(int output, double seconds, const std::function<void(const Say&)>& work)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limitProcessorTime(seconds);
    constexpr int kKept = 0;
    ::dup2(output, kKept);
    ::close_range(kKept + 1, ~0U, 0); // nothing of the original's is held open longer than by it
    try {
        work([](const std::string& text) { writeAll(kKept, text); });
    } catch (...) {
        ::_exit(1);
    }
    ::_exit(0);
}

/// Until the other end is closed or nobody waits any longer.
std::string readAll(int file, double patienceSeconds)
{
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration<double>(patienceSeconds);
    std::string text;
    std::array<char, 4096> buffer = {};
    for (;;) {
        const std::chrono::duration<double, std::milli> left = deadline - Clock::now();
        pollfd waiting = {file, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, std::max(0, static_cast<int>(left.count())));
        if (ready < 0 && errno == EINTR)
            continue;
        const ssize_t size = ready > 0 ? ::read(file, buffer.data(), buffer.size()) : 0;
        if (size <= 0)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(size));
    }
}

} // namespace

QString startRunner(const std::filesystem::path& document, const QStringList& arguments)
{
    if (const auto owner = study::lockOwner(document))
        return QStringLiteral("the study is already being run by process %1").arg(owner->pid);
    try {
        return startUnowned(document, arguments);
    } catch (const study::DocumentError& error) {
        return QString::fromStdString(error.what()) + adviceFor(document);
    }
}

bool requestStop(const std::filesystem::path& document)
{
    const auto owner = study::lockOwner(document);
    return owner && study::isOwnerOurs(document, *owner) && ::kill(owner->pid, SIGTERM) == 0;
}

QString trainerProgram()
{
    const QString name = QStringLiteral("quadric-trainer");
    const QString other = qEnvironmentVariable("QUADRIC_TRAINER");
    if (!other.isEmpty())
        return QFileInfo(other).isExecutable() ? other : QString();
    return besideOrOnPath(name);
}

QString guardProgram()
{
    return besideOrOnPath(QStringLiteral("quadric-guard"));
}

QString watchProgram()
{
    return besideOrOnPath(QStringLiteral("quadric-watch"));
}

Machine thisMachine()
{
    return {.cores = machine::limitToQuota(machine::countUsableCores()),
            .memoryMib = machine::readMemoryMib()};
}

TrainerDevices parseTrainerDevices(const QByteArray& output)
{
    TrainerDevices devices;
    const Json event = Json::parse(output.toStdString(), nullptr, false);
    const auto device = event.is_object() ? event.find("device") : event.end();
    if (device == event.end() || !device->is_object())
        return devices;
    for (const Json& gpu : listOf(*device, "gpus")) {
        if (gpu.is_object())
            devices.gpus.push_back(gpuOf(gpu));
    }
    devices.driver = textOf(*device, "gpu_driver");
    devices.about = textOf(*device, "gpus_about");
    return devices;
}

TrainerDevicesQuestion::TrainerDevicesQuestion(QObject* parent)
    : QObject(parent)
{
    m_process.setStandardErrorFile(QProcess::nullDevice());
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, &m_process, &QProcess::kill);
    connect(&m_process, &QProcess::finished, this, [this](int status, QProcess::ExitStatus how) {
        m_limit.stop();
        if (how == QProcess::NormalExit && status == 0)
            emit answered(parseTrainerDevices(m_process.readAllStandardOutput()));
    });
}

TrainerDevicesQuestion::~TrainerDevicesQuestion()
{
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

void TrainerDevicesQuestion::start()
{
    const QString program = trainerProgram();
    if (program.isEmpty())
        return;
    m_limit.start(kLongestAnswer);
    m_process.start(program,
                    {QStringLiteral("--devices"), QStringLiteral("--format"), QStringLiteral("json")});
}

BoundedAnswer doBounded(double seconds, const std::function<void(const Say&)>& work)
{
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return {{}, std::strerror(errno)};
    const pid_t copy = ::fork();
    if (copy == 0)
        workAsCopy(ends[1], seconds, work);
    const int error = errno;
    ::close(ends[1]);
    BoundedAnswer answer;
    if (copy < 0)
        answer.problem = std::strerror(error);
    else
        answer.text = readAll(ends[0], kLongestWait * seconds);
    ::close(ends[0]);
    if (copy > 0) {
        ::kill(copy, SIGKILL);
        while (::waitpid(copy, nullptr, 0) < 0 && errno == EINTR)
            ;
    }
    return answer;
}

} // namespace quadric::run
