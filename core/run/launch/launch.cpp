// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/launch.h"

#include "core/run/words/events.h"
#include "core/run/words/run_log.h"
#include "core/study/document/document.h"
#include "core/study/files/companion_file.h"
#include "core/study/files/journal.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QThread>

#include <csignal>
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
    const QByteArray news = tailOfEvents(document).readLines().text;
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
    const std::filesystem::path folder = study::folderOf(study::resolved(document));
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

} // namespace quadric::run
