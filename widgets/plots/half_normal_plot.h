// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/curves.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Half-normal plot of the effects: noise lies on the line through the origin, real effects to the right of
/// it and beyond the limits of the Pareto chart.
class HalfNormalPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit HalfNormalPlot(QWidget* parent = nullptr);
    /// `unit`: of the effects; empty on a transformed scale.
    void setPoints(const model::HalfNormalPlot& points, const QString& response, const std::string& unit);
};

} // namespace quadric::widgets
