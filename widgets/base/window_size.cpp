// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/window_size.h"

#include <QScreen>
#include <QWidget>

namespace quadric::widgets {

void resizeWithinScreen(QWidget& window, QSize usual)
{
    constexpr QSize kFrame(16, 48); // what a window manager puts around a window, generously
    window.resize(usual.boundedTo(window.screen()->availableSize() - kFrame));
}

QSize sizeOnScreen(QSize screen, double share, QSize least, QSize most)
{
    return (screen * share).expandedTo(least).boundedTo(most);
}

} // namespace quadric::widgets
