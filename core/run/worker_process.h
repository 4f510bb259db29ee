// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe.h"
#include "core/run/run_outcome.h"

#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTimer>

namespace quadric::run {

/// One worker, under quadric-guard (app/guard). However it ends, nothing that it
/// started is left when ended() is emitted, exactly once.
class WorkerProcess : public QObject {
    Q_OBJECT

public:
    explicit WorkerProcess(QObject* parent = nullptr);
    ~WorkerProcess() override;

    void start(const Launch& launch, double timeoutSeconds);

    /// Ends the worker; ended() follows with WorkerExit::Kind::Stopped.
    void stop();

    double elapsedSeconds() const;

signals:
    void started();
    void standardOutput(const QByteArray& bytes);
    void standardError(const QByteArray& bytes);
    void ended(const quadric::run::WorkerExit& exit);

private:
    void terminate(WorkerExit::Kind reason);
    void processFailed(QProcess::ProcessError error);
    void processFinished(int code, QProcess::ExitStatus status);
    void killAll();
    void end(const WorkerExit& exit);

    QProcess m_process;
    QTimer m_timeout;
    QTimer m_killTimer;
    QElapsedTimer m_clock;
    std::optional<WorkerExit::Kind> m_endReason;
    qint64 m_guardPid = 0;
    bool m_hasEnded = false;
};

} // namespace quadric::run
