// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_look.h"

#include <QPainter>
#include <QPainterPath>

#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr std::array kDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};

constexpr double kLightest = 0.6; ///< share of the color scale from which lines are dark
const QColor kLightTone(0xf4f5f6), kDarkTone(0x1d2125);

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

namespace {

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

} // namespace

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

namespace {

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

} // namespace

void paintBar(QPainter& painter, const QRectF& area, BarRole role, bool isHatched, const PlotStyle& style)
{
    const QColor color = barColor(role, style);
    painter.setPen(QPen(role == BarRole::Plain ? style.colors.background : color, 1.0));
    painter.setBrush(isHatched ? style.colors.background : color);
    painter.drawRect(area);
    if (isHatched)
        drawHatch(painter, area, color, 5.0);
}

} // namespace quadric::widgets
