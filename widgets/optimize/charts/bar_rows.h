// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel_plot.h"

#include <optional>
#include <vector>

namespace quadric::widgets {

/// One row of a chart of bars: from `from` to `to`, with a mark where the value is now.
struct BarRow {
    QString name;
    QString text; ///< at the right end, in words
    double from = 0.0, to = 0.0;
    std::optional<double> mark = {};
    bool isFalling = false; ///< drawn hatched: the quantity falls when what it is named for rises
};

/// Horizontal bars under one another over a common axis, with a line at `reference`.
class BarRows : public PanelPlot {
    Q_OBJECT

public:
    using PanelPlot::PanelPlot;
    void setRows(const std::vector<BarRow>& rows, const AxisScale& scale, std::optional<double> reference,
                 const QString& axisTitle);
};

} // namespace quadric::widgets
