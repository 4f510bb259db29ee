// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Four views of the residuals in one: normal plot, against fitted values, histogram, in run order.
class ResidualPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit ResidualPlot(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);
};

/// Residuals in the order of execution with the line of the drift: what changed while the runs were made.
class RunOrderPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit RunOrderPlot(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);
};

} // namespace quadric::widgets
