// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/answer/limit_probability.h"
#include "widgets/optimize/views/answer_view.h"

class QPushButton;

namespace quadric::widgets {

class BarRows;
class SteadyLabel;
class VariationColumn;

/// How sure it is that a run meets all limits: at the setting that is looked at, at once; and the setting
/// where it is surest, as a search in the background that follows. Both include how settings vary in use,
/// which is typed beside them.
class RobustView : public AnswerView {
    Q_OBJECT

public:
    explicit RobustView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

private:
    void search();
    void showHere();
    QString robustText() const;
    void showRobust();

    SteadyLabel* m_here = nullptr;
    SteadyLabel* m_there = nullptr;
    QPushButton* m_look = nullptr;
    BarRows* m_bars = nullptr;
    VariationColumn* m_variation = nullptr;
    Answer m_answer;
    std::optional<optimize::RobustOptimum> m_robust; ///< for the goals that are shown
    FollowUp<optimize::RobustOptimum> m_job;
};

/// The probability of keeping each limit, and all at once, as bars; marks show those of the surest setting
/// where it is known.
void showProbabilities(BarRows& bars, const optimize::AllLimits& here,
                       const std::optional<optimize::RobustOptimum>& robust);

} // namespace quadric::widgets
