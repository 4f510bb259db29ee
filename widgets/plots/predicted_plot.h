// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Predicted vs. observed values of all runs, on the scale of the model. On the diagonal the model is
/// right.
class PredictedPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit PredictedPlot(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);
};

} // namespace quadric::widgets
