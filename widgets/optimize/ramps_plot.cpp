// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/ramps_plot.h"

#include "widgets/plots/base/plot_style.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kLeastWidth = 150.0;
constexpr double kGap = 24.0;
constexpr double kMostHeight = 110.0;

struct Grid {
    int columns = 1;
    QSizeF cell;
};

Grid gridFor(const QRectF& area, std::size_t count)
{
    const int most = std::max(1, static_cast<int>((area.width() + kGap) / (kLeastWidth + kGap)));
    Grid grid;
    grid.columns = std::clamp(static_cast<int>(count), 1, most);
    const int rows = (static_cast<int>(count) + grid.columns - 1) / grid.columns;
    grid.cell = {(area.width() + kGap) / grid.columns - kGap, std::min(kMostHeight, area.height() / rows)};
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

void paintRamp(QPainter& painter, const QRectF& cell, const Ramp& ramp, const PlotStyle& style)
{
    const double line = style.lineHeight();
    const QRectF head(cell.left(), cell.top(), cell.width(), line);
    const double valueWidth =
        std::min(0.6 * cell.width(), QFontMetricsF(style.title).horizontalAdvance(ramp.value) + 2.0);
    drawLine(painter, head.adjusted(0, 0, -valueWidth - 6.0, 0), Qt::AlignLeft | Qt::AlignVCenter, style.font,
             ramp.isLocked ? style.colors.accent : style.colors.text, ramp.name);
    drawLine(painter, QRectF(head.right() - valueWidth, head.top(), valueWidth, line),
             Qt::AlignRight | Qt::AlignVCenter, style.title, style.colors.error, ramp.value);
    const QRectF track(cell.left() + 5.0, head.bottom() + 6.0, cell.width() - 10.0,
                       std::max(8.0, cell.height() - 2.0 * line - 18.0));
    paintShape(painter, track, ramp, style);
    const QPointF dot(track.left() + std::clamp(ramp.place, 0.0, 1.0) * track.width(),
                      track.bottom() - heightAt(ramp, ramp.place) * track.height());
    paintInterval(painter, track, ramp, dot.y(), style);
    drawDot(painter, dot, 4.5, style.colors.error, style.colors.background);
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
    const Grid grid = gridFor(area, m_ramps.size());
    for (std::size_t i = 0; i < m_ramps.size(); ++i) {
        const auto column = static_cast<int>(i) % grid.columns;
        const auto row = static_cast<int>(i) / grid.columns;
        const QPointF corner(area.left() + column * (grid.cell.width() + kGap),
                             area.top() + row * grid.cell.height());
        paintRamp(painter, QRectF(corner, grid.cell), m_ramps[i], style);
    }
    painter.restore();
}

} // namespace quadric::widgets
