// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Main effects of one response: one panel per factor on a common response axis, fitted line with its 95 %
/// band and the adjusted means of the runs.
class MainEffectsPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit MainEffectsPlot(QWidget* parent = nullptr);
    void setCurves(const std::vector<model::EffectCurve>& curves);
};

} // namespace quadric::widgets
