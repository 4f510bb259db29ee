// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel.h"

namespace quadric::widgets {

/// What a board shows, in words: its title, its axes, its notes, its first bars, and the dot that is lit.
QString describeBoard(const PanelBoard& board, int pickedRun);

/// Every PanelPlot says this to assistive technology from now on.
void makePanelsAccessible();

} // namespace quadric::widgets
