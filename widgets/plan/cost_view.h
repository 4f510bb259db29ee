// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/cost_plan.h"
#include "widgets/plan/plan_view.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace quadric::widgets {

class CostPlot;
class ValueSlider;

/// What a run costs, in money and energy, and the cheapest settings that are not much slower, which are
/// searched for in the background.
class CostView : public PlanView {
    Q_OBJECT

public:
    explicit CostView(QWidget* parent = nullptr);

    QString remark() const override;

protected:
    void showControls() override;
    void showAnswer() override;

private:
    void addControls();
    void wire();
    void fillChoosers();
    QString costText(const plan::CostPlan& plan) const;
    void showCost(const plan::CostPlan& plan);
    void showLeast(const std::optional<plan::LimitedBest>& found);
    void showUse();

    ValueSlider* m_gpuHour = nullptr;
    ValueSlider* m_kilowattHour = nullptr;
    ValueSlider* m_fixed = nullptr;
    ValueSlider* m_watts = nullptr;
    QComboBox* m_energy = nullptr;
    QComboBox* m_least = nullptr;
    ValueSlider* m_slower = nullptr;
    CostPlot* m_figure = nullptr;
    QWidget* m_leastRow = nullptr;
    QLabel* m_leastText = nullptr;
    QPushButton* m_use = nullptr;
    /// What is searched for; prices have no part in it.
    struct LeastQuestion {
        int models = -1;
        std::string response = {}, least = {};
        double slower = 0.0;
        bool operator==(const LeastQuestion&) const = default;
    };
    LeastQuestion m_leastAsked;
    study::Settings m_found; ///< that the button takes
    FollowUp<std::optional<plan::LimitedBest>> m_leastJob;
};

} // namespace quadric::widgets
