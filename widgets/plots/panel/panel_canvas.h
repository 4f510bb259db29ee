// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/plots/panel/panel_layout.h"

namespace quadric::widgets {

/// Draws a board where its layout says: QCustomPlot the axes, their grid and what lies between them, with the
/// legend, titles and marks on top. The dots of the `picked` runs are lit.
void drawBoard(QPainter& painter, const PanelBoard& board, const PanelLayout& layout, const PlotStyle& style,
               const PickedRuns& picked);

} // namespace quadric::widgets
