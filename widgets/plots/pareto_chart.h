// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Pareto chart of standardized effects: bars of |t| (or of |effect| with Lenth's limits), largest on top,
/// positive solid, negative hatched, lines at the limits with their names.
class ParetoChart : public PanelPlot {
    Q_OBJECT

public:
    explicit ParetoChart(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);
};

} // namespace quadric::widgets
