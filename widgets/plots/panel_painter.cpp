// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel_painter.h"

#include "widgets/plots/dot_labels.h"
#include "widgets/plots/fitted_title.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kRunRadius = 3.6;
constexpr double kTick = 4.0;
constexpr double kTitleReach = 10.0; ///< pixels that the title of an x axis may go beyond its end
constexpr std::array kDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};

/// Categories differ by their dashes too, for those who do not see the colours apart. The last colour of the
/// list is black, which a dark ground takes for text.
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

bool isFinite(QPointF point)
{
    return std::isfinite(point.x()) && std::isfinite(point.y());
}

QPolygonF polylineOf(const PanelFrame& frame, const std::vector<double>& x, const std::vector<double>& y)
{
    QPolygonF line;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        if (const QPointF at = frame.at(x[i], y[i]); isFinite(at))
            line << at;
    return line;
}

void paintBar(QPainter& painter, const PanelFrame& frame, const PanelBar& bar, const PlotStyle& style)
{
    const QRectF area(frame.at(bar.from, bar.height), frame.at(bar.to, frame.yScale.low));
    painter.setPen(QPen(style.colors.background, 1.0));
    painter.setBrush(blend(style.colors.accent, style.colors.background, 0.75));
    painter.drawRect(area.normalized());
}

void paintBand(QPainter& painter, const PanelFrame& frame, const PanelBand& band, const PlotStyle& style)
{
    QPolygonF outline = polylineOf(frame, band.x, band.high);
    const QPolygonF low = polylineOf(frame, band.x, band.low);
    std::copy(low.rbegin(), low.rend(), std::back_inserter(outline));
    const PlotColors& colors = style.colors;
    const QColor fill =
        band.category < 0 ? colors.band : blend(categoryColor(band.category), colors.background, 0.16);
    painter.setPen(Qt::NoPen);
    painter.setBrush(band.isExtrapolation ? blend(fill, colors.background, 0.45) : fill);
    painter.drawPolygon(outline);
    if (!band.isExtrapolation)
        return;
    QPainterPath region;
    region.addPolygon(outline);
    region.closeSubpath();
    drawHatch(painter, region, blend(colors.accent, colors.background, 0.45), 6.0);
}

void paintLine(QPainter& painter, const PanelFrame& frame, const PanelLine& line, const PlotStyle& style)
{
    painter.setPen(linePen(line.role, line.category, style));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(polylineOf(frame, line.x, line.y));
}

/// The words at the end of a line, inside the panel: beside a vertical one, else above or below it.
void paintLineLabel(QPainter& painter, const PanelFrame& frame, const PanelLine& line, const PlotStyle& style)
{
    const QPolygonF points = polylineOf(frame, line.x, line.y);
    if (line.label.isEmpty() || points.isEmpty())
        return;
    const bool isVertical = points.size() > 1 && std::abs(points.first().x() - points.last().x()) < 0.5;
    const double height = style.smallHeight();
    const double width =
        std::min(QFontMetricsF(style.small).horizontalAdvance(line.label) + 2.0, frame.inner.width() - 8.0);
    const QPointF end = points.last();
    QPointF corner(end.x() - width - 7.0, line.isLabelBelow ? end.y() + 4.0 : end.y() - height - 4.0);
    if (isVertical) {
        const bool hasRoom = end.x() + 4.0 + width <= frame.inner.right();
        corner = {hasRoom ? end.x() + 4.0 : end.x() - width - 4.0, std::min(points.first().y(), end.y())};
    }
    corner.setX(std::clamp(corner.x(), frame.inner.left() + 2.0, frame.inner.right() - width));
    corner.setY(std::clamp(corner.y(), frame.inner.top(), frame.inner.bottom() - height));
    const QColor color = line.category < 0 ? linePen(line.role, -1, style).color() : style.colors.text;
    drawLine(painter, {corner, QSizeF(width, height)}, Qt::AlignLeft | Qt::AlignVCenter, style.small, color,
             line.label);
}

void paintDot(QPainter& painter, const PanelFrame& frame, const PanelDot& dot, const PlotStyle& style,
              bool isPicked)
{
    const QPointF at = frame.at(dot.x, dot.y);
    if (!isFinite(at))
        return;
    const PlotColors& colors = style.colors;
    if (dot.role == DotRole::Observed || isPicked)
        paintObserved(painter, at, style, isPicked);
    else if (dot.category >= 0)
        drawDot(painter, at, kRunRadius, categoryPen(dot.category, style).color(), colors.observedRim);
    else if (dot.role == DotRole::Mean)
        drawDot(painter, at, kRunRadius + 0.6, colors.observed, colors.observedRim);
    else if (dot.role == DotRole::Plain)
        drawDot(painter, at, kRunRadius - 0.4, colors.axis, colors.background);
    else { // a square, not only another colour
        painter.setPen(QPen(colors.background, 1.4));
        painter.setBrush(colors.accent);
        painter.drawRect(QRectF(at.x() - 4.0, at.y() - 4.0, 8.0, 8.0));
    }
}

void paintXTitle(QPainter& painter, const PanelFrame& frame, const QString& title, const PlotStyle& style)
{
    const QRectF& inner = frame.inner;
    const double left = inner.left() - (frame.hasYLabels ? frame.left : 4.0);
    const QRectF room(left, inner.bottom() + style.smallHeight() + 7.0, inner.right() + kTitleReach - left,
                      style.lineHeight());
    drawFittedTitle(painter, inner.center().x(), room, style.font, style.colors.text, title);
}

/// Beside its axis and beside what stands above and below it.
void paintYTitle(QPainter& painter, const PanelFrame& frame, const QString& title, const PlotStyle& style)
{
    const double half = frame.inner.height() / 2.0;
    const double below = style.lineHeight() + style.smallHeight(), above = style.lineHeight();
    painter.save();
    painter.translate(frame.inner.left() - frame.left + style.lineHeight() / 2.0, frame.inner.center().y());
    painter.rotate(-90.0);
    drawFittedTitle(
        painter, 0.0,
        {-half - below, -style.lineHeight() / 2.0, below + 2.0 * half + above, style.lineHeight()},
        style.font, style.colors.text, title);
    painter.restore();
}

/// Above the panel, from its left edge on.
void paintPanelTitle(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    const QRectF& inner = frame.inner;
    const bool isNote = panel.title.isEmpty();
    const QFont& font = isNote ? style.small : style.title;
    const QString& title = isNote ? panel.note : panel.title;
    const QRectF room(inner.left(), inner.top() - style.lineHeight() - 2.0, inner.width() + kTitleReach,
                      style.lineHeight());
    drawFittedTitle(painter, inner.left() + QFontMetricsF(font).horizontalAdvance(title) / 2.0, room, font,
                    isNote ? style.colors.mutedText : style.colors.text, title);
}

QRectF paintSample(QPainter& painter, const QRectF& area, const LegendEntry& entry, const PlotStyle& style)
{
    if (entry.sample == LegendEntry::Sample::Dot) {
        PanelFrame frame;
        frame.inner = area;
        frame.xScale = frame.yScale = {0.0, 1.0, false};
        paintDot(painter, frame, {.x = 0.5, .y = 0.5, .role = entry.dot}, style, false);
        return area;
    }
    const QColor& band = style.colors.band;
    if (entry.sample == LegendEntry::Sample::LineInBand)
        painter.fillRect(area, entry.category < 0
                                   ? band
                                   : blend(categoryColor(entry.category), style.colors.background, 0.16));
    painter.setPen(linePen(entry.line, entry.category, style));
    painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()));
    return area;
}

/// A name that is longer than the line is shortened.
void paintLegendLine(QPainter& painter, const QRectF& line, const std::vector<LegendEntry>& entries,
                     const PlotStyle& style)
{
    double right = line.right();
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        const double width = std::min(QFontMetricsF(style.small).horizontalAdvance(entry->text),
                                      right - kLegendSample - line.left());
        drawLine(painter, {right - width, line.top(), width + 1.0, line.height()},
                 Qt::AlignLeft | Qt::AlignVCenter, style.small, style.colors.mutedText, entry->text);
        const QRectF sample(right - width - kLegendSample, line.center().y() - 4.0, 15.0, 8.0);
        right = paintSample(painter, sample, *entry, style).left() - kLegendGap;
    }
}

} // namespace

void paintAxes(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    const QRectF& inner = frame.inner;
    const PlotColors& colors = style.colors;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.axis, 1.0));
    painter.drawLine(inner.bottomLeft(), inner.bottomRight());
    for (const Tick& tick : frame.xTicks) {
        const double x = frame.xOf(tick.value);
        painter.setPen(QPen(colors.axis, 1.0));
        painter.drawLine(QPointF(x, inner.bottom()), QPointF(x, inner.bottom() + kTick));
        drawLine(painter, {x - 60.0, inner.bottom() + kTick + 1.0, 120.0, style.smallHeight()},
                 Qt::AlignCenter, style.small, colors.mutedText, tick.label);
    }
    paintXTitle(painter, frame, panel.x.title, style);
    paintPanelTitle(painter, frame, panel, style);
    painter.setPen(QPen(frame.hasYLabels ? colors.axis : colors.grid, 1.0));
    painter.drawLine(inner.topLeft(), inner.bottomLeft());
    if (!frame.hasYLabels)
        return;
    for (const Tick& tick : frame.yTicks) {
        const double y = frame.yOf(tick.value);
        drawLine(painter, {inner.left() - 207.0, y - style.smallHeight() / 2.0, 201.0, style.smallHeight()},
                 Qt::AlignRight | Qt::AlignVCenter, style.small, colors.mutedText, tick.label);
    }
    paintYTitle(painter, frame, panel.y.title, style);
}

void paintFrame(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(style.colors.grid, 1.0));
    for (const Tick& tick : frame.yTicks) {
        const double y = std::round(frame.yOf(tick.value));
        painter.drawLine(QPointF(frame.inner.left(), y), QPointF(frame.inner.right(), y));
    }
    paintAxes(painter, frame, panel, style);
}

void paintContent(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style,
                  int pickedRun)
{
    painter.save();
    painter.setClipRect(frame.inner.adjusted(-6.0, -6.0, 6.0, 6.0), Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const PanelBar& bar : panel.bars)
        paintBar(painter, frame, bar, style);
    for (const PanelBand& band : panel.bands)
        paintBand(painter, frame, band, style);
    for (const PanelLine& line : panel.lines)
        paintLine(painter, frame, line, style);
    painter.restore();
    for (const PanelLine& line : panel.lines)
        paintLineLabel(painter, frame, line, style);
    const auto isPicked = [pickedRun](const PanelDot& dot) { return dot.run >= 0 && dot.run == pickedRun; };
    for (const bool picked : {false, true}) // the lit one on top
        for (const PanelDot& dot : panel.dots)
            if (isPicked(dot) == picked)
                paintDot(painter, frame, dot, style, picked);
    for (const DotLabel& label : dotLabels(frame, panel.dots, style))
        drawLine(painter, label.place, Qt::AlignLeft | Qt::AlignVCenter, style.small, style.colors.text,
                 label.text);
}

void paintObserved(QPainter& painter, QPointF at, const PlotStyle& style, bool isPicked)
{
    if (isPicked) {
        painter.setPen(QPen(style.colors.text, 1.6));
        painter.setBrush(style.colors.background);
        painter.drawEllipse(at, kRunRadius + 4.5, kRunRadius + 4.5);
    }
    drawDot(painter, at, kRunRadius + (isPicked ? 1.0 : 0.0), style.colors.observed,
            style.colors.observedRim);
}

void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries,
                 const PlotStyle& style)
{
    painter.setRenderHint(QPainter::Antialiasing);
    double top = area.top();
    for (const std::vector<LegendEntry>& line : legendLines(entries, area.width(), style)) {
        paintLegendLine(painter, {area.left(), top, area.width(), style.smallHeight()}, line, style);
        top += legendLineHeight(style);
    }
}

} // namespace quadric::widgets
