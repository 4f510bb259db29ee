// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"
#include "core/run/words/control.h"
#include "core/study/study.h"
#include "widgets/base/page.h"

#include <QString>
#include <QWidget>

#include <array>
#include <functional>
#include <vector>

class QAction;
class QMenu;
class QLabel;
class QProgressBar;
class QPushButton;

namespace quadric::widgets {

/// What can be done with the selected runs now, as a row of buttons and as a menu: while a runner lives it is
/// asked, otherwise the study is changed. Each action is for those of the runs that it suits.
class RunActions : public QWidget {
    Q_OBJECT

public:
    explicit RunActions(QWidget* parent = nullptr);

    void setRuns(const std::vector<const study::Run*>& runs, bool isRunning, const run::RunnerNews& news);

    void fill(QMenu& menu) const;

signals:
    void controlRequested(const quadric::run::ControlRequest& request);
    void rerunRequested(const std::vector<int>& runs);
    void excludeRequested(const std::vector<int>& runs);
    void includeRequested(const std::vector<int>& runs);

private:
    enum Which { Cancel, First, Skip, Rerun, Exclude, Include, kActions };
    struct Item {
        QAction* action = nullptr;
        QString text;          ///< of one run
        QString manyText;      ///< with %1, the number of runs
        std::vector<int> runs; ///< that it suits
    };

    void add(Which which, const QString& text, const QString& manyText, const QString& tooltip,
             const std::function<void(const std::vector<int>&)>& action);
    void ask(run::ControlAction action, const std::vector<int>& runs);
    void offer(Which which, int run, bool isSuited);
    void addWithRunner(const study::Run& run, const run::RunnerNews& news);
    void addWithoutRunner(const study::Run& run);

    bool m_isRunning = false;
    std::array<Item, kActions> m_items;
};

/// A study as the user wants it, and what that is called in the list of undo.
struct RunChange {
    study::Study after;
    QString label;
    QString mergeKey = {}; ///< changes with the same one in a row become one step; empty: none do
};

/// The runs as if they had never been executed.
RunChange makeRerun(study::Study study, const std::vector<int>& runs);
RunChange makeRetry(study::Study study, const std::vector<int>& failedRuns);
RunChange makeRepetition(study::Study study, const std::vector<int>& disturbedRuns);

/// The results are kept, and no model uses them; and the reverse.
RunChange makeExclusion(study::Study study, const std::vector<int>& runs);
RunChange makeInclusion(study::Study study, const std::vector<int>& runs);

/// How many runs are executed at once, and where baselines come from.
RunChange makeParallel(study::Study study, int runs);
RunChange makeBaselineMode(study::Study study, study::BaselineMode mode);

class RunSheet;

/// The step Run of a study that launches nothing: how many results are entered, which run is measured next
/// and at which settings, and the runs in run order to type the results into.
class EntrySheet : public QWidget {
    Q_OBJECT

public:
    explicit EntrySheet(QWidget* parent = nullptr);
    void setContext(const ContextPointer& context);
    void pickRuns(const PickedRuns& runs);

    /// Whether the results of the study are typed.
    static bool isFor(const study::Study& study) { return study.benchmark.workload == "none"; }

signals:
    void changeRequested(const quadric::study::Study& after, const QString& label, const QString& mergeKey);
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    void undoRequested();
    /// All results are entered: the user wants to see what they say.
    void exploreRequested();

private:
    QLayout* buildHeader();
    void act();

    QLabel* m_progress;
    QProgressBar* m_bar;
    QLabel* m_words;
    QPushButton* m_button;
    RunSheet* m_sheet;
    int m_next = -1; ///< run to measure next; −1: none is left
};

} // namespace quadric::widgets
