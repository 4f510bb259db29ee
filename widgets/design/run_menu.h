// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPoint;

namespace quadric::widgets {

class RunSheet;

/// The menu of the matrix: what can be done with the cells and the runs that are selected. `position` is in
/// the coordinates of the view; a click beside the selection has moved it already.
/// Asks for a reason, and leaves the runs out of all models.
void askForExclusion(RunSheet& sheet, const std::vector<int>& runs);

void showRunMenu(RunSheet& sheet, const QPoint& position);

} // namespace quadric::widgets
