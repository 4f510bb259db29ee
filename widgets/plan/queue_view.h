// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_plan.h"
#include "widgets/plan/plan_view.h"
#include "widgets/plots/panel/panel_plot.h"

class QCheckBox;
class QTableView;

namespace quadric::widgets {

/// Mean response of one fast and of several slow machines over the rate at which jobs come: by formula as
/// lines, at the rate that is asked for simulated.
class QueuePlot : public PanelPlot {
    Q_OBJECT

public:
    explicit QueuePlot(QWidget* parent = nullptr);
    /// `plan` is empty while it is simulated.
    void setQueue(const plan::QueueSystems& systems, double rate, const std::optional<plan::QueuePlan>& plan);
};

class ValueSlider;

/// One fast machine or several slow ones, for jobs that queue. The formulas follow the sliders at once, the
/// simulation in the background.
class QueueView : public PlanView {
    Q_OBJECT

public:
    explicit QueueView(QWidget* parent = nullptr);

protected:
    void showControls() override;
    void showAnswer() override;

private:
    void wire();
    bool ask();
    void showQueue();
    QString queueText() const;

    ValueSlider* m_load = nullptr;
    ValueSlider* m_machines = nullptr;
    ValueSlider* m_speedUp = nullptr;
    QCheckBox* m_isSpread = nullptr; ///< jobs of a distribution
    ValueSlider* m_variation = nullptr;
    QueuePlot* m_figure = nullptr;
    QTableView* m_systemTable = nullptr;
    plan::QueueSystems m_asked;
    double m_rate = 0.0;                   ///< jobs a second
    std::optional<plan::QueuePlan> m_plan; ///< of what is asked; empty while it is simulated
    int m_models = -1;                     ///< that `m_plan` is for, with …
    plan::PlanChoices m_planOf;            ///< … these choices
    FollowUp<plan::QueuePlan> m_planJob;
};

} // namespace quadric::widgets
