// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"
#include "widgets/plots/base/plot.h"
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

/// One factor or response as a ramp with a dot where the setting stands.
struct Ramp {
    QString name;
    QString value; ///< what stands at the dot, with unit
    QString low, high;
    double place = 0.0; ///< of the dot along the ramp, 0…1
    bool isFactor = false;
    bool isLocked = false;
    /// Responses: height of the ramp from low to high, at equal distances; the dot stands on it.
    std::vector<double> heights = {};
    /// Responses: the interval of the prediction, as places along the ramp.
    std::optional<std::pair<double, double>> interval = {};
};

/// The setting at a glance: a ramp for every factor over its range, and for every response its desirability
/// over its limits.
class RampsPlot : public Plot {
    Q_OBJECT

public:
    explicit RampsPlot(QWidget* parent = nullptr);
    void setRamps(std::vector<Ramp> ramps);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;

private:
    std::vector<Ramp> m_ramps;
};

} // namespace quadric::widgets
