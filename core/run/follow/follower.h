// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"
#include "core/run/words/control.h"
#include "core/study/files/journal.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace quadric::run {

/// Asks the living runner of a study, without waiting. `done` gets the answer later, once, unless `owner` is
/// gone by then.
void ask(QObject* owner, const std::filesystem::path& document, const ControlRequest& request,
         std::function<void(const ControlReply&)> done);

/// The same, waiting for the answer, some seconds at most.
ControlReply ask(const std::filesystem::path& document, const ControlRequest& request);

/// Follows a study that a background runner executes, from any process: tails journal and events, notices
/// when the runner ends or dies. Never writes. Attaching in the middle of an experiment delivers everything
/// that the journal holds first.
class Follower : public QObject {
    Q_OBJECT

public:
    explicit Follower(std::filesystem::path document, QObject* parent = nullptr);
    ~Follower() override;

    /// Reads what is there now and then keeps watching (file notifications and a poll twice a second).
    void start();
    bool isRunnerAlive() const;

    /// Where the living runner stands: paused or not, its queue, the runs in progress.
    const RunnerNews& news() const;

signals:
    /// A run's record in the journal is new or changed.
    void runChanged(const quadric::study::Run& run);
    /// Worker news of the run in progress: `done` 0…1, phase "warm-up" or "measure".
    void progress(int runId, double done, const QString& phase);
    void sample(int runId, double stepMs);
    void logLine(int runId, const QString& line);
    /// news() is different from before.
    void newsChanged(const quadric::run::RunnerNews& news);
    /// What describeStudyProblem() says is different from before.
    void problemChanged(const QString& problem);
    void runnerStarted();
    /// The runner is gone; `message` says why in words, `reason` is that of its event `ended` ("finished",
    /// "stopped" or "failed"), or "died". Both are empty where it was another command that had the study for
    /// itself.
    void runnerEnded(const QString& message, const QString& reason);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace quadric::run
