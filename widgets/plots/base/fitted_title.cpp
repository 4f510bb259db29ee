// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/fitted_title.h"

#include "widgets/plots/base/plot_style.h"

#include <algorithm>

namespace quadric::widgets {

void drawFittedTitle(QPainter& painter, double middle, const QRectF& room, const QFont& font,
                     const QColor& color, const QString& title)
{
    constexpr int kSmallest = 8; // pixels
    const auto widthIn = [&title](const QFont& type) {
        return QFontMetricsF(type).horizontalAdvance(title) + 1.0;
    };
    QFont fitting = font;
    while (widthIn(fitting) > room.width() && fitting.pixelSize() > kSmallest)
        fitting.setPixelSize(fitting.pixelSize() - 1);
    const double width = std::min(widthIn(fitting), room.width());
    const double left = std::clamp(middle - width / 2.0, room.left(), room.right() - width);
    drawLine(painter, {left, room.top(), width, room.height()}, Qt::AlignCenter, fitting, color, title);
}

} // namespace quadric::widgets
