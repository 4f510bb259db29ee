// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/follower.h"
#include "core/run/recipe/approval.h"
#include "core/run/words/run_files.h"
#include "core/run/words/run_proposals.h"
#include "widgets/base/page.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace quadric::app {

class Autosave;
class StudyEditor;

/// The open study's background runner as the window sees it: starts and stops it, follows it whoever started
/// it, and hands its results to the editor.
class Experiment : public QObject {
    Q_OBJECT

public:
    Experiment(StudyEditor& editor, Autosave& autosave, QObject* parent = nullptr);
    ~Experiment() override;

    /// Follows the runner of the editor's study from now on; nothing is followed before its file exists.
    void attach();
    void detach();

    /// Starts the waiting runs and then goes on by itself for so many seconds of runs, with those that are
    /// expected to gain most; at the end the best settings are confirmed. Asks for approval like start().
    void goOn(double seconds);

    /// Starts the waiting runs. A command that the user has not approved is asked for first (approvalWanted).
    void start();
    /// The user has approved what approvalWanted() showed; if the study has changed since, it asks again.
    void approveAndStart();
    void stop();
    /// Asks the living runner for anything else: pause, cancel a run, … Refusals come as message().
    void ask(const run::ControlRequest& request);

    /// Adds `runs` confirmation runs at these settings and starts them.
    void confirm(const study::Settings& settings, int runs);

    /// Why runs were added by themselves; as far as it was written.
    std::vector<run::ProposalRecord> proposals() const;

    /// Where the living runner stands; nothing without one.
    run::RunnerNews news() const { return m_follower ? m_follower->news() : run::RunnerNews{}; }

signals:
    /// news() is different from before.
    void newsChanged(const quadric::run::RunnerNews& news);
    /// proposals() is different from before.
    void proposalsChanged(const std::vector<quadric::run::ProposalRecord>& records);
    /// Why the study cannot take results, where they are, and what to do; empty: it can.
    void problemChanged(const QString& problem);
    /// The study wants to execute a command; `question` shows it and what changed since the last approval.
    void approvalWanted(const QString& question);
    /// Why the runner ended, could not start or did not do what was asked; empty words: nothing is to be said
    /// any more.
    void message(const quadric::widgets::RunMessage& message);

private:
    void launch();
    void tell(const run::ControlRequest& request, const run::ControlReply& reply);
    void takeRun(const study::Run& run);
    void handleRunnerStart();
    void handleRunnerEnd(const QString& sentence, const QString& reason);
    bool canMeasure();
    void readBack();

    StudyEditor& m_editor;
    Autosave& m_autosave;
    std::unique_ptr<run::Follower> m_follower;
    std::optional<run::ApprovalRequest> m_asked; ///< as it was shown
    double m_seconds = 0.0;                      ///< that the runner is to go on by itself; 0: not at all
};

/// Reads log and samples of one run of the open study for the window, and twice a second what is new in them.
class RunWatch : public QObject {
    Q_OBJECT

public:
    explicit RunWatch(QObject* parent = nullptr);

    /// The study's file; empty: there is nothing to read.
    void setDocument(const std::filesystem::path& document);

    /// Watches this run from now on, from its beginning; −1: none.
    void watch(int run);

    /// Reads the samples of these runs once.
    void compare(const std::vector<int>& runs);

signals:
    void comparedRead(const std::vector<quadric::run::ComparedRun>& runs);
    void samplesRead(int run, const quadric::run::RunSamples& samples, bool isStart);
    void logRead(int run, const QString& text, bool isStart);

private:
    void begin();
    void read();

    std::filesystem::path m_document;
    int m_run = -1;
    std::optional<run::RunFiles> m_files;
    QTimer m_timer;
};

} // namespace quadric::app
