// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace quadric::widgets {

class Plot;

/// Fills a menu with what can be done with every plot: copy, save as SVG, PDF or PNG, view as table, and what
/// it is.
void addPlotActions(QMenu& menu, Plot& plot);

} // namespace quadric::widgets
