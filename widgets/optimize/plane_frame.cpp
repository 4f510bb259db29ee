// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/plane_frame.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

namespace {

double widestLabel(const std::vector<Tick>& ticks, const QFontMetricsF& metrics)
{
    double widest = 0;
    for (const Tick& tick : ticks)
        widest = std::max(widest, metrics.horizontalAdvance(tick.label));
    return widest;
}

void drawTicks(QPainter& painter, const PlaneFrame& frame, const PlotStyle& style)
{
    const QFontMetricsF metrics(style.small);
    const QRectF& area = frame.area;
    for (const Tick& tick : horizontalTicks(frame.x, area.width(), metrics)) {
        const double x = area.left() + frame.x.fractionOf(tick.value) * area.width();
        painter.setPen(QPen(style.colors.grid, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        drawLine(painter, {x - 60, area.bottom() + 2, 120, metrics.height()}, Qt::AlignHCenter, style.small,
                 style.colors.mutedText, tick.label);
    }
    for (const Tick& tick : verticalTicks(frame.y, area.height(), metrics)) {
        const double y = area.bottom() - frame.y.fractionOf(tick.value) * area.height();
        painter.setPen(QPen(style.colors.grid, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        drawLine(painter, {area.left() - 128, y - metrics.height() / 2, 120, metrics.height()},
                 Qt::AlignRight, style.small, style.colors.mutedText, tick.label);
    }
}

} // namespace

QPointF PlaneFrame::valueAt(QPointF position) const
{
    return {x.actualAt(std::clamp((position.x() - area.left()) / area.width(), 0.0, 1.0)),
            y.actualAt(std::clamp((area.bottom() - position.y()) / area.height(), 0.0, 1.0))};
}

PlaneFrame planeFrame(const QRectF& target, const PlotStyle& style, const AxisScale& x, const AxisScale& y)
{
    const QFontMetricsF metrics(style.small);
    PlaneFrame frame{target, x, y, target.left() + 8};
    const double titles = style.smallHeight() + 4;
    const double top = target.top() + titles;
    const double bottom = target.bottom() - titles - metrics.height() - 4;
    const double labels = widestLabel(verticalTicks(frame.y, bottom - top, metrics), metrics);
    frame.area = QRectF(QPointF(target.left() + labels + 12, top), QPointF(target.right() - 16, bottom));
    return frame;
}

void drawAxes(QPainter& painter, const PlaneFrame& frame, const PlotStyle& style, const QString& xTitle,
              const QString& yTitle)
{
    const QFontMetricsF metrics(style.small);
    const QRectF& area = frame.area;
    drawTicks(painter, frame, style);
    painter.setPen(QPen(style.colors.axis, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.drawLine(area.bottomLeft(), area.topLeft());
    drawLine(painter, {area.left(), area.bottom() + metrics.height() + 4, area.width(), metrics.height()},
             Qt::AlignHCenter, style.small, style.colors.text, xTitle);
    drawLine(painter,
             {frame.left, area.top() - metrics.height() - 4, area.right() - frame.left, metrics.height()},
             Qt::AlignLeft, style.small, style.colors.text, yTitle);
}

} // namespace quadric::widgets
