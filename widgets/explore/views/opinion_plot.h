// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/opinion/opinion.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// What other kinds of models say of a response. An opinion without scores shows its message.
class OpinionPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit OpinionPlot(QWidget* parent = nullptr);

    /// Predicted vs. observed values of the runs left out, a panel for each kind of model.
    void setPredictions(const plan::Opinion& opinion);
    /// The mean prediction along each factor, a panel for each, a line for each kind of model. `fit`: the one
    /// that the opinion is of.
    void setDependence(const plan::Opinion& opinion, const model::Fit& fit);
};

} // namespace quadric::widgets
