// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel_plot.h"

#include <optional>
#include <vector>

namespace quadric::widgets {

/// One row of a chart of bars that begin at 0, with a mark.
struct BarRow {
    QString name;
    QString text; ///< at the right end, in words
    double value = 0.0;
    std::optional<double> mark = {};
};

/// Horizontal bars under one another over a common axis.
class BarRows : public PanelPlot {
    Q_OBJECT

public:
    using PanelPlot::PanelPlot;
    void setRows(const std::vector<BarRow>& rows, const AxisScale& scale, const QString& axisTitle);
};

} // namespace quadric::widgets
