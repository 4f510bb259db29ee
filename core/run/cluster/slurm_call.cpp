// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/cluster/slurm_call.h"

#include "core/run/cluster/slurm_reason.h"

#include <QProcess>
#include <QTimer>

#include <algorithm>
#include <csignal>
#include <sys/prctl.h>

namespace quadric::run {

namespace {

/// A call that outlives this process could submit a job that nobody knows of.
void endWithParent()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

void prepare(QProcess& process, const SlurmCall& call)
{
    process.setProgram(call.program);
    process.setArguments(call.arguments);
    process.setWorkingDirectory(call.folder);
    process.setProcessEnvironment(slurmEnvironment(QProcessEnvironment::systemEnvironment()));
    process.setStandardInputFile(QProcess::nullDevice());
    process.setChildProcessModifier(&endWithParent);
}

SlurmAnswer answerOf(QProcess& process, SlurmAnswer::Kind kind)
{
    SlurmAnswer answer{kind, process.exitCode(), process.readAllStandardOutput(),
                       process.readAllStandardError()};
    if (kind == SlurmAnswer::Kind::NotStarted)
        answer.errors = process.errorString().toUtf8();
    else if (kind == SlurmAnswer::Kind::Ended && process.exitStatus() == QProcess::CrashExit)
        answer.status = -1;
    return answer;
}

/// One call under way; deletes itself.
class RunningCall : public QObject {
public:
    RunningCall(QObject* owner, const SlurmCall& call, std::function<void(const SlurmAnswer&)> done)
        : QObject(owner)
        , m_done(std::move(done))
    {
        prepare(m_process, call);
        m_patience.setSingleShot(true);
        connect(&m_patience, &QTimer::timeout, this, [this] { end(SlurmAnswer::Kind::TimedOut); });
        connect(&m_process, &QProcess::finished, this, [this] { end(SlurmAnswer::Kind::Ended); });
        connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                end(SlurmAnswer::Kind::NotStarted);
        });
        m_patience.start(call.patienceMs);
        m_process.start(QIODevice::ReadOnly);
    }

    ~RunningCall() override
    {
        m_process.disconnect(this);
        m_process.kill();
        m_process.waitForFinished();
    }

private:
    void end(SlurmAnswer::Kind kind)
    {
        if (m_hasEnded)
            return;
        m_hasEnded = true;
        m_patience.stop();
        deleteLater();
        m_done(answerOf(m_process, kind));
    }

    QProcess m_process;
    QTimer m_patience;
    std::function<void(const SlurmAnswer&)> m_done;
    bool m_hasEnded = false;
};

} // namespace

std::string SlurmAnswer::problem() const
{
    if (kind == Kind::TimedOut)
        return "no answer in time";
    const QByteArray words = errors.trimmed().isEmpty() ? output.trimmed() : errors.trimmed();
    if (!words.isEmpty())
        return findReason(words.toStdString());
    return "exit status " + std::to_string(status);
}

void callSlurm(QObject* owner, const SlurmCall& call, std::function<void(const SlurmAnswer&)> done)
{
    new RunningCall(owner, call, std::move(done));
}

SlurmAnswer askSlurm(const SlurmCall& call)
{
    QProcess process;
    prepare(process, call);
    process.start(QIODevice::ReadOnly);
    if (!process.waitForStarted(call.patienceMs))
        return answerOf(process, SlurmAnswer::Kind::NotStarted);
    const bool isInTime = process.waitForFinished(call.patienceMs);
    if (!isInTime) {
        process.kill();
        process.waitForFinished();
    }
    return answerOf(process, isInTime ? SlurmAnswer::Kind::Ended : SlurmAnswer::Kind::TimedOut);
}

QProcessEnvironment slurmEnvironment(const QProcessEnvironment& environment)
{
    static const QStringList starts = {QStringLiteral("SLURM_"),  QStringLiteral("SLURMD_"),
                                       QStringLiteral("SBATCH_"), QStringLiteral("SRUN_"),
                                       QStringLiteral("SALLOC_"), QStringLiteral("SQUEUE_"),
                                       QStringLiteral("SINFO_"),  QStringLiteral("SCANCEL_")};
    QProcessEnvironment clean = environment;
    clean.remove(QStringLiteral("CUDA_VISIBLE_DEVICES"));
    for (const QString& name : environment.keys()) {
        const bool isOfSlurm = std::any_of(starts.begin(), starts.end(),
                                           [&name](const QString& start) { return name.startsWith(start); });
        if (isOfSlurm && name != QLatin1String("SLURM_CONF"))
            clean.remove(name);
    }
    return clean;
}

} // namespace quadric::run
