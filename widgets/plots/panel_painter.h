// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel_layout.h"

namespace quadric::widgets {

/// Grid, axes, labels and titles of one panel; what it shows goes on top of it.
void paintFrame(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style);

/// Labels and titles alone, for what covers the grid.
void paintAxes(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style);

/// Bars, bands, lines and dots; the dots of the run `pickedRun` are lit.
void paintContent(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style,
                  int pickedRun);

/// An observed value; the run in the centre of attention stands out by a ring.
void paintObserved(QPainter& painter, QPointF at, const PlotStyle& style, bool isPicked);

/// Samples and their words in lines from the top of `area` on, right-aligned.
void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries,
                 const PlotStyle& style);

} // namespace quadric::widgets
