// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/next_runs.h"
#include "widgets/optimize/answer_view.h"

class QComboBox;
class QPushButton;
class QSpinBox;
class QTableView;

namespace quadric::widgets {

class SteadyLabel;
class TextTableModel;

/// Where a few more runs are worth most, by the criterion that the user chooses, and the button that adds
/// them.
class NextRunsView : public AnswerView {
    Q_OBJECT

public:
    explicit NextRunsView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

private:
    QLayout* makeChoice();
    void search();
    void show(const optimize::NextRuns& runs);
    void showButton();

    QComboBox* m_criterion = nullptr;
    QSpinBox* m_count = nullptr;
    QPushButton* m_add = nullptr;
    SteadyLabel* m_words = nullptr;
    TextTableModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    Answer m_answer;
    std::vector<optimize::NextRun> m_runs;
    FollowUp<optimize::NextRuns> m_job;
};

} // namespace quadric::widgets
