// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel_layout.h"

namespace quadric::widgets {

/// What a pixel means on the axes of a panel: values with as many digits as pixels can tell apart, names on
/// axes of names.
struct AxisReading {
    QString x, y;
};
AxisReading readingAt(const Panel& panel, const PanelFrame& frame, QPointF pixel);

/// Two lines through the pixel and what they mean at the axes.
void paintCrosshair(QPainter& painter, const Panel& panel, const PanelFrame& frame, QPointF pixel,
                    const PlotStyle& style);

/// The part that is about to be zoomed into.
void paintRectangle(QPainter& painter, const QRectF& area, const PlotStyle& style);

} // namespace quadric::widgets
