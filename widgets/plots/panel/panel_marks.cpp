// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_marks.h"

#include "widgets/plots/panel/panel_look.h"
#include "widgets/text/wording.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kFromDot = 8.0; ///< pixels between the middle of a dot and its name

/// Beside the dot, at the side with more room where the name is longer than either.
QRectF labelAreaBeside(const PanelFrame& frame, QPointF at, bool isLeft, const QSizeF& size)
{
    const double room =
        isLeft ? at.x() - kFromDot - frame.inner.left() : frame.inner.right() - at.x() - kFromDot;
    const double width = std::min(size.width(), room);
    return {isLeft ? at.x() - kFromDot - width : at.x() + kFromDot, at.y() - size.height() / 2.0, width,
            size.height()};
}

/// Where a name may stand, the best place first: at the right where it has room, else at the left, then a
/// line higher or lower.
std::vector<QRectF> placesFor(const PanelFrame& frame, QPointF at, const QString& text,
                              const PlotStyle& style)
{
    const QSizeF size(QFontMetricsF(style.small).horizontalAdvance(text) + 2.0, style.smallHeight());
    const bool isLeft = size.width() > frame.inner.right() - at.x() - kFromDot;
    std::vector<QRectF> places{labelAreaBeside(frame, at, isLeft, size)};
    for (const double shift : {0.0, -1.0, 1.0})
        for (const bool left : {isLeft, !isLeft}) {
            const QRectF place =
                labelAreaBeside(frame, at, left, size).translated(0.0, shift * size.height());
            if (place.width() >= size.width())
                places.push_back(place);
        }
    return places;
}

constexpr double kRunRadius = 3.6;
constexpr double kTitleReach = 10.0;  ///< pixels that the title of an x axis may go beyond its end
constexpr double kNameFoot = 4.0;     ///< pixels between the names of the limits and the panel
constexpr double kSampleLevel = 0.35; ///< of the color scale, under the sample of a region

/// The words at the end of a line, inside the panel: beside a vertical one, else above or below it.
void paintLineLabel(QPainter& painter, const PanelFrame& frame, const PanelLine& line, const PlotStyle& style)
{
    QPolygonF points;
    for (std::size_t i = 0; i < std::min(line.x.size(), line.y.size()); ++i)
        if (const QPointF at = frame.at(line.x[i], line.y[i]); frame.shows(at))
            points << at;
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

/// The lines of the setting that is looked at to its axes, below all words.
void paintSettingLines(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    painter.setPen(QPen(style.colors.error, 1.0, Qt::DotLine));
    for (const PanelDot& dot : panel.dots) {
        const QPointF at = frame.at(dot.x, dot.y);
        if (dot.role != DotRole::Setting || !frame.shows(at))
            continue;
        painter.drawLine(QPointF(at.x(), frame.inner.top()), QPointF(at.x(), frame.inner.bottom()));
        painter.drawLine(QPointF(frame.inner.left(), at.y()), QPointF(frame.inner.right(), at.y()));
    }
}

void paintDot(QPainter& painter, const PanelFrame& frame, const PanelDot& dot, const PlotStyle& style,
              bool isPicked)
{
    const QPointF at = frame.at(dot.x, dot.y);
    if (!frame.shows(at))
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
    else if (dot.role == DotRole::Faint)
        drawDot(painter, at, 2.6, blend(colors.observed, QColor(Qt::white), 0.5), colors.observedRim);
    else if (dot.role == DotRole::Setting)
        drawDot(painter, at, 5.0, colors.error, colors.background);
    else if (dot.role == DotRole::Choice)
        drawDot(painter, at, kRunRadius + 0.4, dot.level ? viridis(*dot.level) : colors.accent,
                dot.level ? colors.axis : colors.background);
    else if (dot.role == DotRole::Failed)
        drawCross(painter, at, kRunRadius, colors.error, colors.background);
    else if (dot.role == DotRole::Shown) {
        painter.setPen(QPen(colors.text, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, 8.0, 8.0);
    } else { // a square, not only another color
        painter.setPen(QPen(colors.background, 1.4));
        painter.setBrush(colors.accent);
        painter.drawRect(QRectF(at.x() - 4.0, at.y() - 4.0, 8.0, 8.0));
    }
}

/// What of a category axis has no room, in words.
QString hiddenRows(const PanelFrame& frame, const PanelAxis& axis)
{
    if (axis.isCategory && !axis.ticks.empty() && frame.yTicks.empty())
        return tr("names in the tooltips");
    const auto hidden =
        std::ranges::count_if(axis.ticks, [&](const Tick& tick) { return tick.value < frame.yScale.low; });
    if (!axis.isCategory || hidden == 0)
        return {};
    return hidden == 1 ? tr("1 more row not shown") : tr("%1 more rows not shown").arg(hidden);
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
    const QRectF room(inner.left(), inner.top() - style.lineHeight() - 2.0, inner.width(),
                      style.lineHeight());
    drawFittedTitle(painter, inner.left() + QFontMetricsF(font).horizontalAdvance(title) / 2.0, room, font,
                    isNote ? style.colors.mutedText : style.colors.text, title);
}

/// The names of groups of rows, from the left edge on.
void paintHeadings(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    const double height = style.lineHeight();
    for (const Tick& heading : panel.headings)
        if (const double y = frame.yOf(heading.value); frame.shows({frame.inner.left(), y}))
            drawLine(painter, {frame.inner.left() - frame.left, y - height / 2.0, frame.left, height},
                     Qt::AlignLeft | Qt::AlignVCenter, style.title, style.colors.text, heading.label);
}

/// A frame around the bars that count a lit run.
void paintPickedBars(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style,
                     const PickedRuns& picked)
{
    painter.setPen(QPen(style.colors.text, 2.0));
    painter.setBrush(Qt::NoBrush);
    for (const PanelBar& bar : panel.bars)
        if (std::ranges::any_of(bar.runs, [&picked](int run) { return picked.contains(run); }))
            painter.drawRect(QRectF(frame.at(bar.left, bar.high), frame.at(bar.right, bar.low))
                                 .normalized()
                                 .intersected(frame.inner));
}

void paintBarTexts(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    constexpr double kGap = 8.0;
    const double height = style.lineHeight();
    double width = 0.0;
    for (const PanelBar& bar : panel.bars)
        width = std::max(width, QFontMetricsF(style.font).horizontalAdvance(bar.text) + 1.0);
    for (const PanelBar& bar : panel.bars)
        if (const double y = frame.yOf((bar.low + bar.high) / 2.0); frame.shows({frame.inner.left(), y}))
            drawLine(painter, {frame.inner.right() + kGap, y - height / 2.0, width, height},
                     Qt::AlignRight | Qt::AlignVCenter, style.font, style.colors.text, bar.text);
}

/// Names of the limits above the panel, and their lines, which reach up to them.
void paintLimits(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    const QRectF& inner = frame.inner;
    std::vector<LimitName> names;
    std::vector<const PanelLimit*> limits;
    for (const PanelLimit& limit : panel.limits)
        if (const double x = frame.xOf(limit.at); frame.shows({x, inner.center().y()})) {
            limits.push_back(&limit);
            names.push_back({x, QFontMetricsF(style.small).horizontalAdvance(limit.name) + 2.0});
        }
    const QRectF band(inner.left() - frame.left, inner.top() - kNameFoot - 2.0 * style.smallHeight(),
                      inner.width() + frame.left + kTitleReach, 2.0 * style.smallHeight());
    const std::vector<QRectF> places = placeLimitNames(names, band);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const QPen pen = linePen(limits[i]->role, -1, style);
        drawLine(painter, places[i], Qt::AlignCenter, style.small, pen.color(), limits[i]->name);
        painter.setPen(pen);
        painter.drawLine(QPointF(names[i].x, places[i].top() + 2.0), QPointF(names[i].x, inner.bottom()));
    }
}

/// The sample of an entry.
void paintSample(QPainter& painter, const QRectF& area, const LegendEntry& entry, const PlotStyle& style)
{
    using Sample = LegendEntry::Sample;
    switch (entry.sample) {
    case Sample::Dot: {
        PanelFrame frame;
        frame.inner = area;
        frame.xScale = frame.yScale = {0.0, 1.0, false};
        const auto level = entry.level > 0.0 ? std::optional(entry.level) : std::nullopt;
        return paintDot(painter, frame,
                        {.x = 0.5, .y = 0.5, .role = entry.dot, .category = entry.category, .level = level},
                        style, false);
    }
    case Sample::Bar:
    case Sample::HatchedBar:
        return paintBar(painter, area, entry.bar, entry.sample == Sample::HatchedBar, style);
    case Sample::Cell:
        painter.setPen(QPen(style.colors.grid, 1.0));
        painter.setBrush(cellColor(entry.level, style));
        return painter.drawRect(area);
    case Sample::Region: {
        QPainterPath path;
        path.addRect(entry.region == RegionRole::Confidence ? area.adjusted(1.5, 1.5, -1.5, -1.5) : area);
        if (entry.region == RegionRole::Unsupported || entry.region == RegionRole::Confidence)
            painter.fillPath(path, viridis(kSampleLevel)); // they lie over colors
        return paintRegion(painter, path, {.outlines = {}, .role = entry.region, .level = entry.level},
                           style);
    }
    case Sample::LineInBand:
        painter.fillRect(area, bandColor(entry.category, style));
        [[fallthrough]];
    case Sample::Line:
        painter.setPen(linePen(entry.line, entry.category, style));
        painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()));
    }
}

} // namespace

std::vector<DotLabel> dotLabels(const PanelFrame& frame, const std::vector<PanelDot>& dots,
                                const PlotStyle& style)
{
    std::vector<DotLabel> labels;
    for (auto dot = dots.rbegin(); dot != dots.rend(); ++dot) {
        const QPointF at = frame.at(dot->x, dot->y);
        if (dot->label.isEmpty() || !std::isfinite(at.x()) || !std::isfinite(at.y()))
            continue;
        for (const QRectF& place : placesFor(frame, at, dot->label, style)) {
            const auto isTaken = [&](const DotLabel& each) { return each.place.intersects(place); };
            if (std::ranges::any_of(labels, isTaken))
                continue;
            labels.push_back({place, dot->label});
            break;
        }
    }
    return labels;
}

void paintTitles(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    painter.setRenderHint(QPainter::Antialiasing);
    QStringList title{panel.x.title, hiddenRows(frame, panel.y)};
    title.removeAll({});
    paintXTitle(painter, frame, title.join(QStringLiteral(" · ")), style);
    paintPanelTitle(painter, frame, panel, style);
    if (frame.hasYLabels)
        paintYTitle(painter, frame, panel.y.title, style);
}

void paintMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style,
                const PickedRuns& picked)
{
    painter.setRenderHint(QPainter::Antialiasing);
    paintHeadings(painter, frame, panel, style);
    paintBarTexts(painter, frame, panel, style);
    paintLimits(painter, frame, panel, style);
    paintSettingLines(painter, frame, panel, style);
    paintContourMarks(painter, frame, panel, style);
    paintCellMarks(painter, frame, panel, style);
    paintPickedBars(painter, frame, panel, style, picked);
    for (const PanelLine& line : panel.lines)
        paintLineLabel(painter, frame, line, style);
    for (const bool isPicked : {false, true}) // the lit ones on top
        for (const PanelDot& dot : panel.dots)
            if (picked.contains(dot.run) == isPicked)
                paintDot(painter, frame, dot, style, isPicked);
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

LegendItem legendItem(const LegendEntry& entry)
{
    return {entry.text, [entry](QPainter& painter, const QRectF& sample, const PlotStyle& style) {
                paintSample(painter, sample, entry, style);
            }};
}

} // namespace quadric::widgets
