// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QColor;
class QFont;
class QPainter;
class QRectF;

namespace quadric::widgets {

/// Draws the title of an axis or of a panel on one line: around `middle`, moved where the room ends, and in
/// smaller type, down to what can just be read, where it is longer than the room.
void drawFittedTitle(QPainter& painter, double middle, const QRectF& room, const QFont& font,
                     const QColor& color, const QString& title);

} // namespace quadric::widgets
