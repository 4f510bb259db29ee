// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/next/best_so_far.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// The best measured value over the runs in their order: a dot for each run, a cross at the foot for one that
/// failed, and the best until then as a line.
class BestSoFarPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit BestSoFarPlot(QWidget* parent = nullptr);

    void setRuns(const optimize::BestSoFar& runs);
};

} // namespace quadric::widgets
