// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel_layout.h"

namespace quadric::widgets {

/// The words of the contours of a panel, where they have room, and the strokes of limits.
void paintContourMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel,
                       const PlotStyle& style);

} // namespace quadric::widgets
