// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/run_files.h"
#include "widgets/base/page.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;

namespace quadric::widgets {

/// The log of one run with a search: Enter goes to the next place, Shift+Enter back, all places are marked.
class LogPanel : public QWidget {
    Q_OBJECT

public:
    explicit LogPanel(QWidget* parent = nullptr);

    /// Shows this text; a view that shows the end keeps showing it, another one stays where it is. `hint`
    /// stands where it is empty.
    void setText(const QString& text, const QString& hint);

    /// What stands where the text is empty from now on.
    void setHint(const QString& hint);

    /// Adds to it; a view that shows the end keeps showing it.
    void append(const QString& text);

    /// The next keys are searched for, in the place of what was.
    void goToSearch();
    void clearSearch();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void step(int by);
    void showCount();
    void mark();

    QLineEdit* m_search = nullptr;
    QLabel* m_count = nullptr;
    QPlainTextEdit* m_text = nullptr;
    QList<int> m_places; ///< positions of the matches
    int m_current = -1;
};

class FindingsList;
class RunActions;
class RunCharts;

/// Everything about the run in the center of attention, below the table: what can be done with it, its charts
/// and its log; beside them how well the whole experiment is measured.
class RunDetails : public QWidget {
    Q_OBJECT

public:
    explicit RunDetails(QWidget* parent = nullptr);

    RunActions* actions() const { return m_actions; }

    /// Another study is open: nothing is left of what was shown and searched for.
    void forget();
    /// The run that is shown from now on; null: none. Its samples and its log come afterwards.
    void setRun(const study::Run* run);
    /// The same run is in another state.
    void updateRun(const study::Run* run);
    void setContext(const StudyContext& context);

    /// What was sampled and logged in the shown run: all of it, or (`isStart` false) what came since.
    void updateSamples(const run::RunSamples& samples, bool isStart);
    void updateLog(const QString& text, bool isStart);
    /// Runs whose lines lie behind those of the shown one.
    void setCompared(std::vector<run::ComparedRun> runs);

    /// Goes to the search of the log.
    void searchLog();

signals:
    /// The disturbed runs are to be measured again.
    void repeatRequested(const std::vector<int>& runs);

private:
    QWidget* makeCard();
    void showCharts();
    QString logHint() const;
    QString chartHint() const;

    enum class State { None, Waiting, Running, Over } m_state = State::None;
    QLabel* m_title = nullptr;
    QLabel* m_problem = nullptr;
    RunActions* m_actions = nullptr;
    RunCharts* m_charts = nullptr;
    QTabWidget* m_tabs = nullptr;
    LogPanel* m_log = nullptr;
    FindingsList* m_findings = nullptr;
    QPushButton* m_repeat = nullptr;
    run::RunSamples m_samples;
    std::vector<int> m_disturbed;
};

} // namespace quadric::widgets
