// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_plan.h"
#include "widgets/plan/plan_view.h"
#include "widgets/plots/panel/panel_plot.h"

class QCheckBox;
class QTableView;

namespace quadric::widgets {

/// Mean response of one fast and of several slow machines over the rate at which jobs come: by formula as
/// lines, at the rate that is asked for simulated, with the load at which the answer turns.
class QueuePlot : public PanelPlot {
    Q_OBJECT

public:
    explicit QueuePlot(QWidget* parent = nullptr);
    /// `plan` and `turn` are empty while they are simulated.
    void setQueue(const plan::QueueSystems& systems, double rate, const std::optional<plan::QueuePlan>& plan,
                  const std::optional<plan::QueueTurn>& turn);
};

class JobSource;
class ValueSlider;

/// One fast machine or several slow ones, for jobs that queue. The formulas follow the sliders at once, the
/// simulations in the background.
class QueueView : public PlanView {
    Q_OBJECT

public:
    explicit QueueView(QWidget* parent = nullptr);

protected:
    void showControls() override;
    void showAnswer() override;

private:
    void addSliders();
    bool ask();
    void simulate();
    void showQueue();
    QString queueText() const;

    ValueSlider* m_load = nullptr;
    ValueSlider* m_machines = nullptr;
    ValueSlider* m_speedUp = nullptr;
    ValueSlider* m_gang = nullptr;
    ValueSlider* m_gangSpeedUp = nullptr;
    JobSource* m_jobs = nullptr;
    QCheckBox* m_isSpread = nullptr; ///< jobs of a distribution
    ValueSlider* m_variation = nullptr;
    ValueSlider* m_price = nullptr;
    QueuePlot* m_figure = nullptr;
    QTableView* m_systemTable = nullptr;
    QTableView* m_variabilityTable = nullptr;
    plan::QueueSystems m_asked;
    double m_rate = 0.0;                   ///< jobs a second
    double m_capacity = 0.0;               ///< of the slow machines, with the same choices as `m_turn`
    std::optional<plan::QueuePlan> m_plan; ///< of what is asked; empty while it is simulated
    std::optional<plan::QueueTurn> m_turn; ///< likewise
    int m_models = -1;                     ///< that `m_turn` is for, with …
    plan::PlanChoices m_turnOf;            ///< … these choices
    plan::PlanChoices m_planOf;            ///< that `m_plan` is for, with the same models
    FollowUp<plan::QueuePlan> m_planJob;
    FollowUp<plan::QueueTurn> m_turnJob;
};

} // namespace quadric::widgets
