// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QWidget;

namespace quadric::widgets {

/// Resizes a window to `usual`, or to what of it the screen has room for beside a window manager's frame.
void resizeWithinScreen(QWidget& window, QSize usual);

/// Resizes a window to this share of the screen, 0 … 1, but to no less than `least` and no more than `most`, and
/// never beyond the screen.
void resizeWithScreen(QWidget& window, double share, QSize least, QSize most);

} // namespace quadric::widgets
