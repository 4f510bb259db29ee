// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace quadric::widgets {

/// Fonts of the report, sized in logical pixels at 96 dpi so that screen and paper break lines alike. Shaping
/// is off: with it, text taken from the PDF would lose signs such as "=" and "±".
QFont printFont(double pixels, bool isBold = false);

/// Height that the text takes when it is wrapped to this width.
double textHeight(const QString& text, const QFont& font, double width);

/// Draws wrapped text into the top of `target`; words that are wider than the target are broken.
void drawText(QPainter& painter, const QRectF& target, const QString& text, const QFont& font,
              const QColor& color, Qt::Alignment alignment = Qt::AlignLeft);

} // namespace quadric::widgets
