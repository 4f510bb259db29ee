// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/deadline_answer.h"
#include "widgets/plan/plan_view.h"

class QComboBox;
class QLabel;

namespace quadric::widgets {

class DeadlinePlot;
class ValueSlider;

/// "Done by 18:00 with 95 %": how surely a run is done in time, and how much fits into it. Computed within a
/// frame.
class DeadlineView : public PlanView {
    Q_OBJECT

public:
    explicit DeadlineView(QWidget* parent = nullptr);

protected:
    void showControls() override;
    void showAnswer() override;

private:
    QString timeText(const plan::DeadlineQuestion& question, const plan::DeadlineAnswer& answer) const;
    QString largestText(const plan::DeadlineQuestion& question, const plan::DeadlineAnswer& answer) const;
    QString answerText(const plan::DeadlineQuestion& question, const plan::DeadlineAnswer& answer) const;

    ValueSlider* m_within = nullptr;
    ValueSlider* m_probability = nullptr;
    QLabel* m_clock = nullptr;
    QComboBox* m_largest = nullptr;
    DeadlinePlot* m_figure = nullptr;
};

} // namespace quadric::widgets
