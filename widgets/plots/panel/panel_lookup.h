// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel_layout.h"

namespace quadric::widgets {

/// The nearest dot within reach of a pixel that is seen; none: null.
const PanelDot* dotAt(const PanelBoard& board, const PanelLayout& layout, QPointF position);

/// What is said of the dot, bar or cell under a pixel, or of the place.
QString tipAt(const PanelBoard& board, const PanelLayout& layout, QPointF position);

/// Runs of the first panel that has any, from left to right.
std::vector<int> runsInOrder(const PanelBoard& board);

} // namespace quadric::widgets
