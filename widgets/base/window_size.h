// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QWidget;

namespace quadric::widgets {

/// Resizes a window to `usual`, or to what of it the screen has room for beside a window manager's frame.
void resizeWithinScreen(QWidget& window, QSize usual);

} // namespace quadric::widgets
