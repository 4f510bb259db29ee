// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"
#include "core/run/words/control.h"
#include "core/run/words/run_files.h"
#include "core/study/study.h"
#include "widgets/base/page.h"

#include <QString>

#include <memory>
#include <utility>
#include <vector>

namespace quadric::widgets {

/// Which run is in the center of attention: the one that the user has picked, otherwise the run in progress.
/// A start ends what was picked before it.
class RunFocus {
public:
    int picked() const { return m_picked; } ///< −1: the run in progress is followed
    /// Returns whether it is another one than before.
    bool pick(int run) { return std::exchange(m_picked, run) != run; }

    /// The user starts the experiment: what is picked from here on stays picked.
    void expectStartedRun();
    /// A runner has appeared, started by the user or elsewhere. Returns whether a pick has ended with that.
    bool followNewRunner() { return !std::exchange(m_isStarting, false) && pick(-1); }
    void updateFocusFromNews(const run::RunnerNews& news);
    /// A run may be over before anybody has heard that it began.
    void recordLastEnded(const study::Study& before, const study::Study& after);

    /// The picked run; without one the run in progress, of several the one that is `shown` already; without
    /// one the run that ended last; otherwise `shown`.
    int runToShow(const run::RunnerNews& news, int shown) const;

private:
    int m_picked = -1;
    int m_lastEnded = -1; ///< in the experiment that is going on, or was the last; −1: the one that was shown
    bool m_isStarting = false;
};

struct RunChange;

/// The step "Run": how far the experiment is and its large button, what is to be said about it, the table of
/// runs, and below it charts, log and state of the picked run and how well everything is measured. After a
/// start it follows the run in progress until the user picks another one. It starts and reads nothing itself;
/// whoever follows the background runner feeds the slots and does what the signals ask for.
class RunPage : public Page {
    Q_OBJECT

public:
    explicit RunPage(QWidget* parent = nullptr);
    ~RunPage() override;
    void setContext(ContextPointer context) override;

public slots:
    /// Where the living runner stands.
    void showNews(const quadric::run::RunnerNews& news);
    /// What was sampled in a run and what it printed: all of it, or (`isStart` false) what came since. Of
    /// interest after watchRequested() has asked for this run.
    void showSamples(int run, const quadric::run::RunSamples& samples, bool isStart);
    void showLog(int run, const QString& text, bool isStart);
    /// What was sampled in the runs that compareRequested() has asked for.
    void showCompared(const std::vector<quadric::run::ComparedRun>& runs);
    /// Why the study cannot take results, where they are, and what to do, above everything; empty: it can.
    void showProblem(const QString& problem);
    /// Why the runner ended, or could not be started; without words: that is over. It goes with its study.
    void showMessage(const quadric::widgets::RunMessage& message);
    /// Lights the rows of these runs and shows the details of the current one; without one those of the run
    /// in progress.
    void pickRuns(const PickedRuns& runs);

signals:
    void startRequested();
    void stopRequested();
    /// The user wants to say otherwise how the study is measured.
    void editRequested();
    /// The user takes back the change that this page has just asked for.
    void undoRequested();
    /// Anything else that the living runner is asked for.
    void controlRequested(const quadric::run::ControlRequest& request);
    /// Log and samples of this run are shown from now on.
    void watchRequested(int run);
    /// Samples of these runs are drawn behind those of the shown one; empty: none.
    void compareRequested(const std::vector<int>& runs);

private:
    void wire();
    void wireActions();
    void wireMessages();
    void forgetStudy();
    void start();
    void pickFromTable();
    void compare();
    void showBar();
    void showShownRun();
    void showEntry();
    void request(const RunChange& change);
    void repeat(const std::vector<int>& runs);
    void retry(const std::vector<int>& runs);
    void showMenu(const QPoint& position);

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
