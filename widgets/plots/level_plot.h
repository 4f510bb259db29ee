// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/level_summary.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Observed values at each level of one or more factors: a box plot with the runs as dots, a panel per
/// factor on a common response axis.
class LevelPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit LevelPlot(QWidget* parent = nullptr);
    void setLevels(const std::vector<model::LevelSummary>& summaries);
};

} // namespace quadric::widgets
