// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/contour_plot.h"

#include "widgets/plots/color_bar.h"
#include "widgets/plots/grid_lookup.h"
#include "widgets/plots/panel_canvas.h"
#include "widgets/plots/panel_marks.h"
#include "widgets/text/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kContourPointReach = 9.0; ///< pixels around a point that belong to it
constexpr double kLightest = 0.6;          ///< share of the colour scale from which lines are dark

/// Lines and labels in the tone that stands out from the colour under them.
QColor toneOver(double fraction)
{
    return fraction < kLightest ? QColor(0xf4f5f6) : QColor(0x1d2125);
}

/// The longer side of what a line covers.
double extentOf(const QPolygonF& line)
{
    const QRectF bounds = line.boundingRect();
    return std::max(bounds.width(), bounds.height());
}

} // namespace

ContourPlot::ContourPlot(QWidget* parent)
    : Plot(parent)
    , m_reason(tr("No map yet."))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Contour map"));
}

void ContourPlot::setGrid(const model::SurfaceGrid& grid)
{
    if (!isUsable(grid))
        return clear(tr("The map has no values to show."));
    m_grid = grid;
    m_zScale = scaleOver({grid.z.data(), grid.z.data() + grid.z.size()}, false);
    m_lines.clear();
    for (const Tick& tick : contourTicks(m_zScale))
        for (IsoLine& line : isoLines(grid.z, {tick.value}))
            m_lines.push_back({std::move(line), tick.label});
    m_bands = colorBands(grid.z, m_zScale);
    Panel panel;
    panel.grid = PanelGrid::None;
    std::vector<double> xs{grid.x.front(), grid.x.back()}, ys{grid.y.front(), grid.y.back()};
    for (const model::ObservedPoint& point : grid.observed) {
        xs.push_back(point.x);
        ys.push_back(point.y);
    }
    panel.x = {nameWithUnit(grid.xName, grid.xUnit), scaleOver(xs, grid.xIsLog2, 0.02)};
    panel.y = {nameWithUnit(grid.yName, grid.yUnit), scaleOver(ys, grid.yIsLog2, 0.02)};
    m_axes = {};
    m_axes.title = nameWithUnit(grid.response, grid.responseUnit);
    m_axes.panels.push_back(std::move(panel));
    update();
}

void ContourPlot::clear(const QString& reason)
{
    m_grid = {};
    m_axes = {};
    m_reason = reason;
    update();
}

TextTable ContourPlot::table() const
{
    return gridTable(m_grid);
}

PanelLayout ContourPlot::layoutIn(const QRectF& area, const PlotStyle& style) const
{
    const double bar = colorBarWidth(m_zScale, area.height(), style);
    return {m_axes, area.adjusted(0.0, 0.0, -bar, 0.0), style};
}

PanelFrame ContourPlot::frameOnScreen() const
{
    const PlotStyle style = plotStyle(*this, false);
    return layoutIn(areaBelowHeader(rect(), style, true), style).frames().front();
}

QPointF ContourPlot::nodeAt(const PanelFrame& frame, const Eigen::Vector2d& index) const
{
    const auto along = [](const std::vector<double>& nodes, double at, bool isLog2) {
        const AxisScale scale{nodes.front(), nodes.back(), isLog2};
        return scale.actualAt(at / static_cast<double>(nodes.size() - 1));
    };
    return frame.at(along(m_grid.x, index.x(), m_grid.xIsLog2), along(m_grid.y, index.y(), m_grid.yIsLog2));
}

QPolygonF ContourPlot::polygonOf(const PanelFrame& frame, const std::vector<Eigen::Vector2d>& points) const
{
    QPolygonF polygon;
    for (const Eigen::Vector2d& point : points)
        polygon << nodeAt(frame, point);
    return polygon;
}

/// Each band over the lower ones, so that nothing shines through between two of them.
void ContourPlot::paintBands(QPainter& painter, const PanelFrame& frame) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const ColorBand& band : m_bands) {
        QPainterPath region;
        for (const std::vector<Eigen::Vector2d>& outline : band.outlines) {
            region.addPolygon(polygonOf(frame, outline));
            region.closeSubpath();
        }
        painter.fillPath(region, band.color);
    }
}

/// The cells without support, hatched; neighbours in a row are one rectangle.
void ContourPlot::paintHatch(QPainter& painter, const PanelFrame& frame) const
{
    QPainterPath region;
    for (Eigen::Index j = 0; j + 1 < m_grid.z.cols(); ++j)
        for (Eigen::Index i = 0; i + 1 < m_grid.z.rows(); ++i) {
            const Eigen::Index first = i;
            while (i + 1 < m_grid.z.rows() && isExtrapolated(m_grid, i, j))
                ++i;
            if (i > first)
                region.addRect(QRectF(nodeAt(frame, {double(first), double(j)}),
                                      nodeAt(frame, {double(i), double(j + 1)}))
                                   .normalized());
        }
    if (region.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    drawHatch(painter, region.translated(1.0, 0.0), QColor(0x1d2125),
              7.0);                                    // a light and a dark line: seen on
    drawHatch(painter, region, QColor(0xf4f5f6), 7.0); // every colour
}

void ContourPlot::paintLines(QPainter& painter, const PanelFrame& frame, const PlotStyle& style) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<QRectF> taken;
    for (const auto& [line, label] : m_lines) {
        const QPolygonF points = polygonOf(frame, line.points);
        const QColor tone = toneOver(m_zScale.fractionOf(line.level));
        painter.setPen(QPen(tone, 1.1));
        painter.drawPolyline(points);
        const QSizeF size(QFontMetricsF(style.small).horizontalAdvance(label) + 4.0, style.smallHeight());
        QRectF box({}, size);
        box.moveCenter(points[points.size() / 2]);
        const bool isFree = std::ranges::none_of(taken, [&box](const QRectF& other) {
            return other.adjusted(-8.0, -2.0, 8.0, 2.0).intersects(box);
        });
        if (!isFree || !frame.inner.contains(box) || extentOf(points) < 1.5 * size.width())
            continue;
        painter.fillRect(box, viridis(m_zScale.fractionOf(line.level)));
        drawLine(painter, box, Qt::AlignCenter, style.small, tone, label);
        taken.push_back(box);
    }
}

void ContourPlot::paintPoints(QPainter& painter, const PanelFrame& frame, const PlotStyle& style) const
{
    const double range = m_zScale.high - m_zScale.low;
    for (const bool picked : {false, true})
        for (const model::ObservedPoint& point : m_grid.observed) {
            if ((point.run == pickedRun()) != picked)
                continue;
            const QPointF at = frame.at(point.x, point.y);
            if (picked || isOnGrid(m_grid, point, range))
                paintObserved(painter, at, style, picked);
            else
                drawDot(painter, at, 2.6, blend(style.colors.observed, QColor(Qt::white), 0.5),
                        style.colors.observedRim);
        }
}

void ContourPlot::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF area = drawHeader(painter, target, style, m_axes.title, isSimulated());
    if (m_axes.panels.empty()) {
        drawReason(painter, area, style, m_reason);
    } else {
        const PanelLayout layout = layoutIn(area, style);
        const PanelFrame& frame = layout.frames().front();
        paintBands(painter, frame);
        paintHatch(painter, frame);
        paintLines(painter, frame, style);
        drawBoard(painter, m_axes, layout, style, pickedRun());
        paintPoints(painter, frame, style);
        paintColorBar(painter,
                      {frame.inner.right(), area.top(), area.right() - frame.inner.right(), area.height()},
                      m_zScale, style);
    }
    painter.restore();
}

const model::ObservedPoint* ContourPlot::pointAt(QPointF position) const
{
    if (m_axes.panels.empty())
        return nullptr;
    const PanelFrame frame = frameOnScreen();
    const model::ObservedPoint* nearest = nullptr;
    double reach = kContourPointReach;
    for (const model::ObservedPoint& point : m_grid.observed) {
        const QPointF offset = frame.at(point.x, point.y) - position;
        const double distance = std::hypot(offset.x(), offset.y());
        if (distance >= reach)
            continue;
        reach = distance;
        nearest = &point;
    }
    return nearest;
}

void ContourPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (m_axes.panels.empty())
        return;
    QString tip;
    if (const model::ObservedPoint* point = pointAt(event->position())) {
        tip = describe(m_grid, *point);
    } else {
        const PanelFrame frame = frameOnScreen();
        const QPointF at = event->position();
        tip = describe(m_grid, frame.xScale.actualAt((at.x() - frame.inner.left()) / frame.inner.width()),
                       frame.yScale.actualAt((frame.inner.bottom() - at.y()) / frame.inner.height()));
    }
    QToolTip::showText(event->globalPosition().toPoint(), tip, this);
}

void ContourPlot::mousePressEvent(QMouseEvent* event)
{
    const model::ObservedPoint* point =
        event->button() == Qt::LeftButton ? pointAt(event->position()) : nullptr;
    if (point != nullptr)
        emit runPicked(point->run);
    else
        Plot::mousePressEvent(event);
}

void ContourPlot::keyPressEvent(QKeyEvent* event)
{
    std::vector<int> runs;
    for (const model::ObservedPoint& point : m_grid.observed)
        runs.push_back(point.run);
    if (const auto next = runByKey(*event, runs, pickedRun()))
        emit runPicked(*next);
    else
        Plot::keyPressEvent(event);
}

} // namespace quadric::widgets
