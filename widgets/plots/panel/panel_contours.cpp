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
constexpr double kMostCovered = 0.4; ///< of a name that may lie on others
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

/// A box inside the panel, as near to a place as it can be.
QRectF boxAt(QPointF place, const QSizeF& size, const QRectF& room)
{
    QRectF box({}, size);
    box.moveCenter(place);
    box.moveLeft(std::clamp(box.left(), room.left(), std::max(room.left(), room.right() - box.width())));
    box.moveTop(std::clamp(box.top(), room.top(), std::max(room.top(), room.bottom() - box.height())));
    return box;
}

/// The lines of a setting through the whole panel, and its dot.
void takeCrosshair(QPointF at, const QRectF& inner, std::vector<QRectF>& taken)
{
    taken.push_back(boxAt(at, {16.0, 16.0}, inner));
    taken.emplace_back(inner.left(), at.y(), inner.width(), 1.0);
    taken.emplace_back(at.x(), inner.top(), 1.0, inner.height());
}

/// How much of a box, with a little room around it, is taken: square pixels.
double coveredOf(const QRectF& box, const std::vector<QRectF>& taken)
{
    double covered = 0.0;
    for (const QRectF& other : taken) {
        const QRectF both = other.intersected(box.adjusted(-3.0, -2.0, 3.0, 2.0));
        covered += both.width() * both.height();
    }
    return covered;
}

/// The name stands on its line where it covers least of other names and of the crosshair; without room there
/// is none, and the line's color tells whose it is.
void paintName(QPainter& painter, const QPolygonF& pixels, const PanelContour& contour,
               const PanelFrame& frame, const PlotStyle& style, std::vector<QRectF>& taken)
{
    constexpr int kTries = 9;
    const QRectF room = frame.inner.adjusted(2.0, 2.0, -2.0, -2.0);
    const QSizeF size(QFontMetricsF(style.small).horizontalAdvance(contour.label) + 8.0,
                      style.smallHeight() + 2.0);
    const auto boxOf = [&](int attempt) {
        const double share = std::fmod(0.35 + 0.31 * contour.limitOf + 0.11 * attempt, 1.0);
        const auto place = static_cast<qsizetype>(share * static_cast<double>(pixels.size()));
        return boxAt(pixels[std::min(place, pixels.size() - 1)], size, room);
    };
    QRectF box = boxOf(0);
    for (int attempt = 1; attempt < kTries; ++attempt)
        if (const QRectF other = boxOf(attempt); coveredOf(other, taken) < coveredOf(box, taken))
            box = other;
    if (coveredOf(box, taken) > kMostCovered * box.width() * box.height())
        return;
    taken.push_back(box);
    painter.setPen(QPen(contourPen(contour, style).color(), 1.0));
    painter.setBrush(style.colors.background);
    painter.drawRoundedRect(box, 3.0, 3.0);
    drawLine(painter, box, Qt::AlignCenter, style.small, style.colors.text, contour.label);
}

} // namespace

void paintContourMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    std::vector<QRectF> taken;
    for (const PanelDot& dot : panel.dots)
        if (dot.role == DotRole::Setting)
            takeCrosshair(frame.at(dot.x, dot.y), frame.inner, taken);
    for (const PanelContour& contour : panel.contours) {
        const QPolygonF pixels = pixelsOf(contour, frame);
        if (pixels.isEmpty())
            continue;
        if (contour.limitOf < 0 && !contour.isChance) {
            paintValue(painter, pixels, contour, frame, style, taken);
            continue;
        }
        if (contour.isLimit && !contour.isChance)
            paintStrokes(painter, pixels, contourPen(contour, style).color());
        if (!contour.label.isEmpty())
            paintName(painter, pixels, contour, frame, style, taken);
    }
}

} // namespace quadric::widgets
