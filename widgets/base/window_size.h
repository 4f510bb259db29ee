// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QWidget;

namespace quadric::widgets {

/// Resizes a window to `usual`, or to what of it the screen has room for beside a window manager's frame.
void resizeWithinScreen(QWidget& window, QSize usual);

/// What a window takes of a screen: this share of it, 0 … 1, but no less than `least` and no more than
/// `most`.
QSize sizeOnScreen(QSize screen, double share, QSize least, QSize most);

} // namespace quadric::widgets
