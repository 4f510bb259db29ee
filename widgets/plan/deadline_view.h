// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/deadline.h"
#include "widgets/plan/plan_view.h"
#include "widgets/plots/panel/panel_plot.h"

class QComboBox;
class QLabel;

namespace quadric::widgets {

/// The probability of being done in time over the size of the work, with the largest size that is done as
/// surely as asked.
class DeadlinePlot : public PanelPlot {
    Q_OBJECT

public:
    explicit DeadlinePlot(QWidget* parent = nullptr);
    void setAnswer(const model::Fit& fit, const plan::DeadlineQuestion& question,
                   const plan::DeadlineAnswer& answer);
};

/// What of the work is counted: "img" of a speed in img/s; else empty.
QString amountUnit(const model::Fit& fit);

/// Three digits, downwards: what is promised is kept.
double withoutNeedlessDigits(double amount);

/// "9.4 × 10⁷ img", or without a unit "12 units of work".
QString amountText(const model::Fit& fit, double amount);

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
