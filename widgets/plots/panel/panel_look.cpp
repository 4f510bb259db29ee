// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_look.h"

#include <QLineF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr std::array kDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};

constexpr double kLightest = 0.6; ///< share of the color scale from which lines are dark
const QColor kLightTone(0xf4f5f6), kDarkTone(0x1d2125);

/// Lines that fall to the right.
void drawFallingHatch(QPainter& painter, const QPainterPath& path, const QColor& color, double spacing)
{
    painter.save();
    painter.scale(-1.0, 1.0);
    drawHatch(painter, QTransform::fromScale(-1.0, 1.0).map(path), color, spacing);
    painter.restore();
}

void paintFailing(QPainter& painter, const QPainterPath& path, const PlotStyle& style)
{
    constexpr int kVeilAlpha = 120; // of 255
    QColor veil = style.colors.background;
    veil.setAlpha(kVeilAlpha);
    painter.fillPath(path, veil);
    const QColor line = blend(style.colors.text, style.colors.background, 0.55);
    drawHatch(painter, path, line, 8.0);
    drawFallingHatch(painter, path, line, 8.0);
}

QColor forbiddenShade(int response, const PlotStyle& style)
{
    constexpr int kShadeAlpha = 46; // of 255
    QColor shade = responseColor(response, style);
    shade.setAlpha(kShadeAlpha);
    return shade;
}

QColor barColor(BarRole role, const PlotStyle& style)
{
    const PlotColors& colors = style.colors;
    switch (role) {
    case BarRole::Plain:
        return blend(colors.accent, colors.background, 0.75);
    case BarRole::Outstanding:
        return colors.accent;
    case BarRole::Weak:
        return blend(colors.axis, colors.background, 0.85);
    case BarRole::Range:
        break;
    }
    return blend(colors.accent, colors.background, 0.6);
}

constexpr double kLeastNumbered = 30.0; ///< pixels of a cell from which its words fit into it

/// Text that can be read on this ground.
QColor contrastingInk(const QColor& ground, const PlotStyle& style)
{
    const auto difference = [&](const QColor& ink) {
        return std::abs(ink.lightnessF() - ground.lightnessF());
    };
    return difference(style.colors.text) >= difference(style.colors.background) ? style.colors.text
                                                                                : style.colors.background;
}

constexpr double kStrokeEvery = 9.0; ///< pixels along a limit
constexpr double kMostCovered = 0.4; ///< of a name that may lie on others
constexpr double kStroke = 6.0;      ///< pixels into the forbidden side

/// The part of a contour that is seen.
QPolygonF visibleContourPixels(const PanelContour& contour, const PanelFrame& frame)
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
double computeCoveredArea(const QRectF& box, const std::vector<QRectF>& taken)
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
        if (const QRectF other = boxOf(attempt);
            computeCoveredArea(other, taken) < computeCoveredArea(box, taken))
            box = other;
    if (computeCoveredArea(box, taken) > kMostCovered * box.width() * box.height())
        return;
    taken.push_back(box);
    painter.setPen(QPen(contourPen(contour, style).color(), 1.0));
    painter.setBrush(style.colors.background);
    painter.drawRoundedRect(box, 3.0, 3.0);
    drawLine(painter, box, Qt::AlignCenter, style.small, style.colors.text, contour.label);
}

} // namespace

QColor responseColor(int response, const PlotStyle& style)
{
    const QColor color = categoryColor(response);
    return style.colors.background.lightness() < 128 ? color.lighter(130) : color;
}

// The last color of the list is black, which a dark ground takes for text.
QPen categoryPen(int category, const PlotStyle& style)
{
    const bool isText = category % 8 == 7;
    const auto dash = static_cast<std::size_t>(category) % kDashes.size();
    return {isText ? style.colors.text : categoryColor(category), 2.0, kDashes[dash], Qt::FlatCap};
}

QPen linePen(LineRole role, int category, const PlotStyle& style)
{
    const PlotColors& colors = style.colors;
    if (category >= 0) {
        QPen pen = categoryPen(category, style);
        pen.setWidthF(role == LineRole::Extrapolation ? 1.0 : 2.0);
        return pen;
    }
    switch (role) {
    case LineRole::Fit:
        return {colors.accent, 2.0, Qt::SolidLine, Qt::FlatCap};
    case LineRole::Extrapolation:
        return {colors.accent, 2.0, Qt::DashLine, Qt::FlatCap};
    case LineRole::Limit:
        return {colors.error, 1.2};
    case LineRole::SecondLimit:
        return {colors.error, 1.2, Qt::DashLine};
    case LineRole::Reference:
        break;
    }
    return {colors.axis, 1.2};
}

QColor bandColor(int category, const PlotStyle& style)
{
    const PlotColors& colors = style.colors;
    return category < 0 ? colors.band : blend(categoryColor(category), colors.background, 0.16);
}

void paintRegion(QPainter& painter, const QPainterPath& path, const PanelRegion& region,
                 const PlotStyle& style)
{
    const PlotColors& colors = style.colors;
    switch (region.role) {
    case RegionRole::Level:
        return painter.fillPath(path, viridis(region.level));
    case RegionRole::Unsupported: // a light and a dark line: seen on every color
        drawHatch(painter, path.translated(1.0, 0.0), kDarkTone, 7.0);
        return drawHatch(painter, path, kLightTone, 7.0);
    case RegionRole::Forbidden: // where several are, it is darker
        return painter.fillPath(path, forbiddenShade(region.limitOf, style));
    case RegionRole::Barred: // the other way than what no run supports, and with a boundary
        painter.fillPath(path, blend(colors.axis, colors.background, 0.22));
        drawFallingHatch(painter, path, blend(colors.axis, colors.background, 0.6), 6.0);
        return painter.strokePath(path, QPen(blend(colors.text, colors.background, 0.7), 1.2));
    case RegionRole::Failing: // crossed lines; what is predicted there is seen through them
        return paintFailing(painter, path, style);
    case RegionRole::Confidence: // dark beside light: seen on every color
        painter.strokePath(path, QPen(kDarkTone, 3.6));
        painter.strokePath(path, QPen(kLightTone, 1.6, Qt::DashLine));
    }
}

/// Over colors, the tone that stands out from the one under the line.
QPen contourPen(const PanelContour& contour, const PlotStyle& style)
{
    if (contour.isChance)
        return {style.colors.error, 2.2};
    if (contour.limitOf < 0)
        return {contour.level < kLightest ? kLightTone : kDarkTone, 1.1};
    return {responseColor(contour.limitOf, style), contour.isLimit ? 1.4 : 2.2,
            contour.isLimit ? Qt::DashLine : Qt::SolidLine};
}

QColor cellColor(double level, const PlotStyle& style)
{
    return std::isfinite(level) ? blend(style.colors.accent, style.colors.background, level)
                                : style.colors.background;
}

void paintBar(QPainter& painter, const QRectF& area, BarRole role, bool isHatched, const PlotStyle& style)
{
    const QColor color = barColor(role, style);
    painter.setPen(QPen(role == BarRole::Plain ? style.colors.background : color, 1.0));
    painter.setBrush(isHatched ? style.colors.background : color);
    painter.drawRect(area);
    if (isHatched)
        drawHatch(painter, area, color, 5.0);
}

QRectF cellArea(const PanelFrame& frame, const PanelCell& cell)
{
    return QRectF(frame.at(cell.x - 0.5, cell.y + 0.5), frame.at(cell.x + 0.5, cell.y - 0.5))
        .adjusted(0.0, 0.0, -1.0, -1.0);
}

void paintCellMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    painter.save();
    painter.setClipRect(frame.inner, Qt::IntersectClip);
    for (const PanelCell& cell : panel.cells) {
        const QRectF area = cellArea(frame, cell);
        if (area.width() >= kLeastNumbered && frame.shows(area.center()))
            drawLine(painter, area, Qt::AlignCenter, style.small,
                     contrastingInk(cellColor(cell.level, style), style), cell.text);
        if (!cell.isPicked)
            continue;
        painter.setPen(QPen(style.colors.text, 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area);
    }
    painter.restore();
}

void paintContourMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    std::vector<QRectF> taken;
    for (const PanelDot& dot : panel.dots)
        if (dot.role == DotRole::Setting)
            takeCrosshair(frame.at(dot.x, dot.y), frame.inner, taken);
    for (const PanelContour& contour : panel.contours) {
        const QPolygonF pixels = visibleContourPixels(contour, frame);
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
