// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/worker/launcher.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <filesystem>
#include <string>

class QSocketNotifier;

namespace quadric::run {

/// A worker on this machine, under quadric-guard (app/guard).
class WorkerProcess : public RunProcess {
    Q_OBJECT

public:
    /// `root`: where proc and sys are, to look for what the kernel says about the end of a worker.
    explicit WorkerProcess(std::filesystem::path root = "/", QObject* parent = nullptr);
    ~WorkerProcess() override;

    void start(const Launch& launch, const RunLimits& limits) override;
    void stop() override { terminate(WorkerExit::Kind::Stopped); }
    double elapsedSeconds() const override;
    qint64 processId() const override { return m_guardPid; }

private:
    void terminate(WorkerExit::Kind reason);
    void processFailed(QProcess::ProcessError error);
    void processFinished(int code, QProcess::ExitStatus status);
    void killAll();
    void pass(const QByteArray& bytes, void (RunProcess::*signal)(const QByteArray&));
    void watchMemory();
    void endForLimit(const char* kind, const std::string& message);
    void end(const WorkerExit& exit);
    void endWhatIsLeft();

    QProcess m_process;
    QTimer m_timeout;
    QTimer m_killTimer;
    QTimer m_memoryTimer;
    RunLimits m_limits;
    double m_printedBytes = 0.0;
    std::optional<study::Failure> m_limitFailure;
    std::filesystem::path m_root;
    std::optional<MemoryKillCounter> m_memoryKills;
    QElapsedTimer m_clock;
    std::optional<WorkerExit::Kind> m_endReason;
    qint64 m_guardPid = 0; ///< from when it works as a guard
    qint64 m_childPid = 0; ///< the same, from its birth
    bool m_hasEnded = false;
};

/// From now on, what a killed guard leaves behind becomes a child of this process. For a process that
/// executes runs and starts no detached programs: those would become its children too.
void adoptOrphans();

/// What a worker on this machine, and everything that inherits its environment, carries the name of its owner
/// in.
inline constexpr const char* kOwnerVariable = "QUADRIC_OWNER";

/// Ends the processes of this user that carry this owner, all but this one: what a former runner of the study
/// has left where its guards were killed together with it.
void endLeftovers(const std::string& owner);

/// Turns machine::endingSignals() into a Qt signal for as long as it lives. Make it before any thread is
/// started.
class Termination : public QObject {
    Q_OBJECT

public:
    explicit Termination(QObject* parent = nullptr);
    ~Termination() override;

signals:
    void requested();

private:
    void read();

    int m_file = -1;
    QSocketNotifier* m_notifier = nullptr;
};

} // namespace quadric::run
