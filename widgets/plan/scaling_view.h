// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/scale_plan.h"
#include "widgets/plan/plan_view.h"

class QComboBox;
class QLabel;
class QTableView;

namespace quadric::widgets {

class LinkControls;
class ScalingPlot;
class ValueSlider;

/// What larger clusters would give, and what has to be true for that. The laws are fitted anew only where the
/// speeds that they follow change.
class ScalingView : public PlanView {
    Q_OBJECT

public:
    explicit ScalingView(QWidget* parent = nullptr);

    QString remark() const override;

protected:
    void showControls() override;
    void showAnswer() override;

private:
    void wire();
    std::string factorName() const;
    const plan::ScaleModel& modelFor(std::size_t factor);
    void showScale(const plan::ScalePlan& plan);
    QString scaleText(const plan::ScalePlan& plan) const;

    QComboBox* m_factor = nullptr;
    ValueSlider* m_doublings = nullptr;
    ValueSlider* m_worth = nullptr;
    ValueSlider* m_perNode = nullptr;
    ValueSlider* m_price = nullptr;
    LinkControls* m_links = nullptr;
    ScalingPlot* m_figure = nullptr;
    QLabel* m_assumptions = nullptr;
    QTableView* m_table = nullptr;
    /// What the laws were fitted to.
    struct Fitted {
        int models = -1;
        std::string response = {};
        std::size_t factor = 0;
        study::Settings settings = {};
        int perNode = 0;
        bool operator==(const Fitted&) const = default;
    };
    Fitted m_fitted;
    plan::ScaleModel m_model;               ///< of `m_fitted`
    std::vector<plan::ForecastRow> m_curve; ///< of `m_model`, up to …
    int m_doublingsOfCurve = 0;             ///< … so many doublings
};

} // namespace quadric::widgets
