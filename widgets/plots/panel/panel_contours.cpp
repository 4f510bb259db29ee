// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_contours.h"

#include "widgets/plots/panel/panel_look.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kStrokeEvery = 9.0; ///< pixels along a limit
constexpr double kStroke = 6.0;      ///< pixels into the forbidden side

/// The part of a contour that is seen.
QPolygonF pixelsOf(const PanelContour& contour, const PanelFrame& frame)
{
    QPolygonF pixels;
    for (const QPointF& point : contour.points)
        if (const QPointF at = frame.at(point.x(), point.y()); frame.shows(at))
            pixels << at;
    return pixels;
}

/// Short strokes on the forbidden side of a limit.
void paintStrokes(QPainter& painter, const QPolygonF& pixels, const QColor& color)
{
    painter.setPen(QPen(color, 1.0));
    double walked = 0.0;
    for (qsizetype i = 0; i + 1 < pixels.size(); ++i) {
        const QLineF piece(pixels[i], pixels[i + 1]);
        walked += piece.length();
        if (walked < kStrokeEvery || piece.isNull())
            continue;
        walked = 0.0;
        const QPointF right(-piece.dy() / piece.length(), piece.dx() / piece.length());
        painter.drawLine(piece.center(), piece.center() + kStroke * right);
    }
}

/// The value of a line, on a plate of the color below it.
void paintValue(QPainter& painter, const QPolygonF& pixels, const PanelContour& contour,
                const PanelFrame& frame, const PlotStyle& style, std::vector<QRectF>& taken)
{
    QRectF box(
        {}, QSizeF(QFontMetricsF(style.small).horizontalAdvance(contour.label) + 4.0, style.smallHeight()));
    box.moveCenter(pixels[pixels.size() / 2]);
    const QRectF bounds = pixels.boundingRect();
    const bool isFree = std::ranges::none_of(
        taken, [&box](const QRectF& other) { return other.adjusted(-8.0, -2.0, 8.0, 2.0).intersects(box); });
    if (!isFree || !frame.inner.contains(box) ||
        std::max(bounds.width(), bounds.height()) < 1.5 * box.width())
        return;
    painter.fillRect(box, viridis(contour.level));
    drawLine(painter, box, Qt::AlignCenter, style.small, contourPen(contour, style).color(), contour.label);
    taken.push_back(box);
}

/// The name of a limit stands on its line, each at another place along it.
void paintName(QPainter& painter, const QPolygonF& pixels, const PanelContour& contour,
               const PanelFrame& frame, const PlotStyle& style)
{
    const QRectF room = frame.inner.adjusted(2.0, 2.0, -2.0, -2.0);
    const double wanted = room.left() + std::fmod(0.35 + 0.31 * contour.limitOf, 0.9) * room.width();
    const auto nearest = std::ranges::min_element(
        pixels, {}, [wanted](const QPointF& point) { return std::abs(point.x() - wanted); });
    QRectF box(0, 0, QFontMetricsF(style.small).horizontalAdvance(contour.label) + 8.0,
               style.smallHeight() + 2.0);
    box.moveCenter(*nearest);
    box.moveLeft(std::clamp(box.left(), room.left(), std::max(room.left(), room.right() - box.width())));
    box.moveTop(std::clamp(box.top(), room.top(), std::max(room.top(), room.bottom() - box.height())));
    painter.setPen(QPen(contourPen(contour, style).color(), 1.0));
    painter.setBrush(style.colors.background);
    painter.drawRoundedRect(box, 3.0, 3.0);
    drawLine(painter, box, Qt::AlignCenter, style.small, style.colors.text, contour.label);
}

} // namespace

void paintContourMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    std::vector<QRectF> taken;
    for (const PanelContour& contour : panel.contours) {
        const QPolygonF pixels = pixelsOf(contour, frame);
        if (pixels.isEmpty())
            continue;
        if (contour.limitOf < 0) {
            paintValue(painter, pixels, contour, frame, style, taken);
            continue;
        }
        paintStrokes(painter, pixels, contourPen(contour, style).color());
        if (!contour.label.isEmpty())
            paintName(painter, pixels, contour, frame, style);
    }
}

} // namespace quadric::widgets
