// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/answer/sensitivity.h"
#include "widgets/optimize/views/answer_view.h"

namespace quadric::widgets {

class BarRows;
class SteadyLabel;

/// How much the answer depends on each weight and limit: a search in the background, what matters most first.
class SensitivityView : public AnswerView {
    Q_OBJECT

public:
    explicit SensitivityView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

private:
    void search();
    void show(const std::vector<optimize::GoalSensitivity>& sensitivities);

    SteadyLabel* m_words = nullptr;
    BarRows* m_bars = nullptr;
    Answer m_answer;
    FollowUp<std::vector<optimize::GoalSensitivity>> m_job;
};

} // namespace quadric::widgets
