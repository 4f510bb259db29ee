// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/worker/run_process.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTimer>

#include <filesystem>

namespace quadric::run {

/// A worker on this machine, under quadric-guard (app/guard).
class WorkerProcess : public RunProcess {
    Q_OBJECT

public:
    /// `root`: where proc and sys are, to look for what the kernel says about the end of a worker.
    explicit WorkerProcess(std::filesystem::path root = "/", QObject* parent = nullptr);
    ~WorkerProcess() override;

    void start(const Launch& launch, const RunLimits& limits) override;
    void stop() override;
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

} // namespace quadric::run
