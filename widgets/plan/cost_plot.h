// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/cost_plan.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// What a run costs and how long it takes over the number of GPUs, with 95 % bands.
class CostPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit CostPlot(QWidget* parent = nullptr);
    void setPlan(const study::Study& study, const study::Settings& settings, const plan::CostPlan& plan);
};

} // namespace quadric::widgets
