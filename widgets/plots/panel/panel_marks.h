// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/panel/panel_layout.h"

namespace quadric::widgets {

/// The name of a dot and where it is written.
struct DotLabel {
    QRectF place;
    QString text;
};

/// Names of dots beside them, to the right where there is room, else to the left, else a line higher or
/// lower. Where names would overlap all the same, those of dots later in the list are kept.
std::vector<DotLabel> dotLabels(const PanelFrame& frame, const std::vector<PanelDot>& dots,
                                const PlotStyle& style);

/// Titles of a panel and of its axes.
void paintTitles(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style);

/// Dots, limits and all words of what a panel shows; the dots of the `picked` runs are lit.
void paintMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style,
                const PickedRuns& picked);

/// An observed value; the run in the center of attention stands out by a ring.
void paintObserved(QPainter& painter, QPointF at, const PlotStyle& style, bool isPicked);

/// An entry as every plot draws it.
LegendItem legendItem(const LegendEntry& entry);

} // namespace quadric::widgets
