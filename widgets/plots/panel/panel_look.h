// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_layout.h"

#include <QPen>

class QPainterPath;

namespace quadric::widgets {

/// The look of what panels show, the same in a panel and in its legend.

/// Categories differ by their dashes too, for those who do not see the colors apart.
QPen categoryPen(int category, const PlotStyle& style);
/// Of a response among others, in lines and shades.
QColor responseColor(int response, const PlotStyle& style);
QPen linePen(LineRole role, int category, const PlotStyle& style);
QColor bandColor(int category, const PlotStyle& style);
void paintRegion(QPainter& painter, const QPainterPath& path, const PanelRegion& region,
                 const PlotStyle& style);
QPen contourPen(const PanelContour& contour, const PlotStyle& style);
QColor cellColor(double level, const PlotStyle& style);
void paintBar(QPainter& painter, const QRectF& area, BarRole role, bool isHatched, const PlotStyle& style);

/// The pixels of a cell, without the gap to the next one.
QRectF cellArea(const PanelFrame& frame, const PanelCell& cell);

/// The words of the cells where they have room, and a frame around the picked one.
void paintCellMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style);

/// The words of the contours of a panel, where they have room, and the strokes of limits.
void paintContourMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel,
                       const PlotStyle& style);

} // namespace quadric::widgets
