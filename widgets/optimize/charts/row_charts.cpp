// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/row_charts.h"

#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/panel/panel_parts.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

void BarRows::setRows(const std::vector<BarRow>& rows, const AxisScale& scale, const QString& axisTitle)
{
    Panel panel;
    panel.grid = PanelGrid::Vertical;
    panel.x = {axisTitle, scale};
    for (const BarRow& row : rows) {
        addRow(panel, row.name, {.left = 0.0, .right = row.value, .role = BarRole::Range, .text = row.text});
        const double place = panel.y.ticks.back().value;
        if (row.mark)
            panel.lines.push_back(
                straightLine(*row.mark, place - 0.42, *row.mark, place + 0.42, LineRole::Limit));
    }
    PanelBoard board;
    if (!rows.empty())
        board.panels.push_back(std::move(panel));
    setBoard(std::move(board));
}

namespace {

constexpr double kRampGap = 24.0;
constexpr double kMostHeight = 110.0;
constexpr double kTextGap = 8.0; ///< between the name and the value of a ramp on one line

struct Grid {
    int columns = 1;
    QSizeF cell;
    bool isStacked = false; ///< values stand below their names
};

/// So wide a ramp is with its name and value: beside or below each other.
double widestText(const std::vector<Ramp>& ramps, const PlotStyle& style, bool isStacked)
{
    double widest = 0.0;
    for (const Ramp& ramp : ramps) {
        const double name = QFontMetricsF(style.font).horizontalAdvance(ramp.name) + 2.0;
        const double value = QFontMetricsF(style.title).horizontalAdvance(ramp.value) + 2.0;
        widest = std::max(widest, isStacked ? std::max(name, value) : name + kTextGap + value);
    }
    return widest;
}

Grid layOutRampGrid(const QRectF& area, int count, int columns, bool isStacked)
{
    const int rows = (count + columns - 1) / columns;
    return {columns,
            {(area.width() + kRampGap) / columns - kRampGap, std::min(kMostHeight, area.height() / rows)},
            isStacked};
}

/// As many columns as show all texts, with names and values side by side if all rows have room then; else
/// values below names; else what has most room.
Grid gridFor(const QRectF& area, const std::vector<Ramp>& ramps, const PlotStyle& style)
{
    const int count = static_cast<int>(ramps.size());
    Grid grid;
    for (const bool isStacked : {false, true}) {
        const double width = widestText(ramps, style, isStacked);
        const int most = static_cast<int>((area.width() + kRampGap) / (width + kRampGap));
        grid = layOutRampGrid(area, count, std::clamp(most, 1, count), isStacked);
        const double least = (isStacked ? 3.0 : 2.0) * style.lineHeight() + 26.0;
        if (most >= 1 && grid.cell.height() >= least)
            return grid;
    }
    return grid;
}

double heightAt(const Ramp& ramp, double place)
{
    if (ramp.heights.size() < 2)
        return 0.0;
    const double at = std::clamp(place, 0.0, 1.0) * static_cast<double>(ramp.heights.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), ramp.heights.size() - 2);
    return std::lerp(ramp.heights[below], ramp.heights[below + 1], at - static_cast<double>(below));
}

/// The ramp itself: a plain line for a factor, the desirability for a response.
void paintShape(QPainter& painter, const QRectF& track, const Ramp& ramp, const PlotStyle& style)
{
    painter.setPen(QPen(style.colors.axis, 1.0));
    painter.drawLine(track.bottomLeft(), track.bottomRight());
    if (ramp.heights.size() < 2)
        return;
    QPolygonF hill;
    hill << track.bottomLeft();
    for (std::size_t i = 0; i < ramp.heights.size(); ++i)
        hill << QPointF(track.left() + track.width() * static_cast<double>(i) /
                                           static_cast<double>(ramp.heights.size() - 1),
                        track.bottom() - ramp.heights[i] * track.height());
    hill << track.bottomRight();
    painter.setPen(Qt::NoPen);
    painter.setBrush(blend(style.colors.good, style.colors.background, 0.35));
    painter.drawPolygon(hill);
}

void paintInterval(QPainter& painter, const QRectF& track, const Ramp& ramp, double y, const PlotStyle& style)
{
    if (!ramp.interval)
        return;
    const auto xOf = [&](double place) { return track.left() + std::clamp(place, 0.0, 1.0) * track.width(); };
    painter.setPen(QPen(style.colors.error, 1.6));
    painter.drawLine(QPointF(xOf(ramp.interval->first), y), QPointF(xOf(ramp.interval->second), y));
}

/// Name and value of a ramp; returns where they end.
double paintHead(QPainter& painter, const QRectF& cell, const Ramp& ramp, const PlotStyle& style,
                 bool isStacked)
{
    const double line = style.lineHeight();
    const QRectF head(cell.left(), cell.top(), cell.width(), line);
    const double valueWidth =
        std::min(cell.width(), QFontMetricsF(style.title).horizontalAdvance(ramp.value) + 2.0);
    drawLine(painter, isStacked ? head : head.adjusted(0, 0, -valueWidth - kTextGap, 0),
             Qt::AlignLeft | Qt::AlignVCenter, style.font,
             ramp.isLocked ? style.colors.accent : style.colors.text, ramp.name);
    const QRectF value(isStacked ? head.left() : head.right() - valueWidth,
                       isStacked ? head.bottom() : head.top(), valueWidth, line);
    drawLine(painter, value, Qt::AlignLeft | Qt::AlignVCenter, style.title, style.colors.error, ramp.value);
    return value.bottom();
}

/// At the end of the ramp where it lies beyond: an arrowhead.
void paintPlace(QPainter& painter, const QRectF& track, const Ramp& ramp, const PlotStyle& style)
{
    const QPointF dot(track.left() + std::clamp(ramp.place, 0.0, 1.0) * track.width(),
                      track.bottom() - heightAt(ramp, ramp.place) * track.height());
    paintInterval(painter, track, ramp, dot.y(), style);
    if (ramp.place >= 0.0 && ramp.place <= 1.0)
        return drawDot(painter, dot, 4.5, style.colors.error, style.colors.background);
    const double out = ramp.place < 0.0 ? -7.0 : 7.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.colors.error);
    painter.drawPolygon(QPolygonF(
        {dot + QPointF(out, 0.0), dot + QPointF(-out / 7.0, -5.0), dot + QPointF(-out / 7.0, 5.0)}));
}

void paintRamp(QPainter& painter, const QRectF& cell, const Ramp& ramp, const PlotStyle& style,
               bool isStacked)
{
    const double top = paintHead(painter, cell, ramp, style, isStacked) + 6.0;
    const QRectF track(cell.left() + 8.0, top, cell.width() - 16.0,
                       std::max(8.0, cell.bottom() - top - style.smallHeight() - 12.0));
    paintShape(painter, track, ramp, style);
    paintPlace(painter, track, ramp, style);
    const QRectF foot(cell.left(), track.bottom() + 3.0, cell.width(), style.smallHeight());
    drawLine(painter, foot, Qt::AlignLeft, style.small, style.colors.mutedText, ramp.low);
    drawLine(painter, foot, Qt::AlignRight, style.small, style.colors.mutedText, ramp.high);
}

} // namespace

RampsPlot::RampsPlot(QWidget* parent)
    : Plot(parent)
{
    setAccessibleName(tr("Ramps"));
}

void RampsPlot::setRamps(std::vector<Ramp> ramps)
{
    m_ramps = std::move(ramps);
    update();
}

void RampsPlot::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    const QRectF area = paintHeader(painter, target, style, {});
    if (m_ramps.empty()) {
        drawReason(painter, area, style, tr("No model yet."));
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const Grid grid = gridFor(area, m_ramps, style);
    for (std::size_t i = 0; i < m_ramps.size(); ++i) {
        const auto column = static_cast<int>(i) % grid.columns;
        const auto row = static_cast<int>(i) / grid.columns;
        const QPointF corner(area.left() + column * (grid.cell.width() + kRampGap),
                             area.top() + row * grid.cell.height());
        paintRamp(painter, QRectF(corner, grid.cell), m_ramps[i], style, grid.isStacked);
    }
    painter.restore();
}

} // namespace quadric::widgets
