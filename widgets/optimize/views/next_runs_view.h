// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/next/run_plan.h"
#include "widgets/optimize/session/optimize_session.h"
#include "widgets/optimize/views/optimize_views.h"

class QTableView;
class QComboBox;
class QHBoxLayout;
class QPushButton;
class QSpinBox;

namespace quadric::widgets {

class SteadyLabel;
class TextTableModel;

/// The log of the runs that were added one after the other: why, and what came of each. Hidden while there
/// are none.
class TriedPanel : public QWidget {
    Q_OBJECT

public:
    explicit TriedPanel(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer);

private:
    SteadyLabel* m_words = nullptr;
    TextTableModel* m_model = nullptr;
    QTableView* m_table = nullptr;
};

/// How much of the time is spent, and why it ended.
QString triedText(const TriedRuns& tried, bool isRunning);

/// Where more runs are worth most: those that gain most in a given time, or so many. The buttons add them, or
/// let the study go on by itself, with a log of what was tried.
class NextRunsView : public AnswerView {
    Q_OBJECT

public:
    explicit NextRunsView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

private:
    QLayout* makeChoice();
    void addCounts(QHBoxLayout& row);
    void addButtons(QHBoxLayout& row);
    bool isTimed() const;
    void forget(const QString& words);
    void wait();
    void search();
    QString describe(const optimize::RunPlan& plan) const;
    void showPlan(const optimize::RunPlan& plan);
    void showButtons();

    QComboBox* m_limit = nullptr; ///< time, or a number
    QSpinBox* m_count = nullptr;
    QSpinBox* m_minutes = nullptr;
    QPushButton* m_add = nullptr;
    QPushButton* m_go = nullptr;
    SteadyLabel* m_words = nullptr;
    TextTableModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    TriedPanel* m_tried = nullptr;
    Answer m_answer;
    bool m_isStale = false;                  ///< what is shown is not of this answer
    std::vector<study::Settings> m_settings; ///< of the runs that are shown
    FollowUp<optimize::RunPlan> m_job;
};

} // namespace quadric::widgets
