// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel_layout.h"

namespace quadric::widgets {

/// The pixels of a cell, without the gap to the next one.
QRectF cellArea(const PanelFrame& frame, const PanelCell& cell);

/// The words of the cells where they have room, and a frame around the picked one.
void paintCellMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style);

} // namespace quadric::widgets
