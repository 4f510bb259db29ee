// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/scale_plan.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Speed over the number of GPUs, both on logarithmic scales: what was measured, the
/// forecast of the laws with its interval, the ideal line, and the last count to which doubling pays.
class ScalingPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit ScalingPlot(QWidget* parent = nullptr);
    /// A plan without laws shows its message.
    void setPlan(const model::Fit& fit, const plan::ScalePlan& plan);
};

/// The unit of the speeds: that of the response, or "1/s" where it is a time.
QString speedUnit(const model::Fit& fit);

} // namespace quadric::widgets
