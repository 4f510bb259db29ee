// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Chance to find the effect of each term: one bar a term, grouped into main effects, interactions and
/// quadratic effects, with a line at the 80 % that people usually ask for. As high as its rows need.
class PowerBars : public PanelPlot {
    Q_OBJECT

public:
    explicit PowerBars(QWidget* parent = nullptr);
    void setPower(const std::vector<design::PowerRow>& rows);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }
};

} // namespace quadric::widgets
