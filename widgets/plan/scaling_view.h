// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/scaling_forecast.h"
#include "widgets/plan/plan_view.h"
#include "widgets/plots/panel/panel_plot.h"

class QComboBox;
class QTableView;

namespace quadric::widgets {

/// Speed over the number of GPUs, both on logarithmic scales: what was measured, the
/// forecast of the laws with its interval, the ideal line, and the last count to which doubling pays.
class ScalingPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit ScalingPlot(QWidget* parent = nullptr);
    /// Without rows it shows the message of the model.
    void setPlan(const model::Fit& fit, const plan::ScaleModel& scale, const plan::ScalePlan& plan);
};

/// The unit of the speeds: that of the response, or "1/s" where it is a time.
QString speedUnit(const model::Fit& fit);

class ValueSlider;

/// What larger clusters would give, and what has to be true for that.
class ScalingView : public PlanView {
    Q_OBJECT

public:
    explicit ScalingView(QWidget* parent = nullptr);

protected:
    void showControls() override;
    void showAnswer() override;

private:
    std::string factorName() const;
    void fitModel(std::size_t factor);
    void showSpeeds(const plan::ScalePlan& plan);
    QString scaleText(const plan::ScalePlan& plan) const;

    QComboBox* m_factor = nullptr;
    ValueSlider* m_doublings = nullptr;
    ValueSlider* m_worth = nullptr;
    ScalingPlot* m_figure = nullptr;
    QTableView* m_table = nullptr;
    /// What the laws were fitted to.
    struct Fitted {
        int models = -1;
        std::string response = {};
        std::size_t factor = 0;
        study::Settings settings = {};
        bool operator==(const Fitted&) const = default;
    };
    Fitted m_fitted;
    plan::ScaleModel m_model; ///< of `m_fitted`
};

} // namespace quadric::widgets
