// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/crosshair.h"

#include "widgets/base/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

QString readingOf(const PanelAxis& axis, const AxisScale& seen, double share, double pixels)
{
    const double value = seen.actualAt(share);
    if (axis.isCategory && axis.ticks.empty())
        return {};
    if (!axis.isCategory) {
        const double step = std::abs(seen.actualAt(share + 1.0 / pixels) - value);
        return formatNumber(value, 10.0 * step); // the decimals of a pixel
    }
    const auto nearest = std::ranges::min_element(
        axis.ticks, {}, [value](const Tick& tick) { return std::abs(tick.value - value); });
    return nearest->label;
}

/// Words on a plate of the text's color, as near to `middle` as the room allows.
void paintPlate(QPainter& painter, QPointF middle, const QRectF& room, const QString& text,
                const PlotStyle& style)
{
    const double width = std::min(QFontMetricsF(style.small).horizontalAdvance(text) + 8.0, room.width());
    const double left = std::clamp(middle.x() - width / 2.0, room.left(), room.right() - width);
    const QRectF plate(left, middle.y() - style.smallHeight() / 2.0 - 1.0, width, style.smallHeight() + 2.0);
    painter.fillRect(plate, style.colors.text);
    drawLine(painter, plate, Qt::AlignCenter, style.small, style.colors.background, text);
}

} // namespace

AxisReading readingAt(const Panel& panel, const PanelFrame& frame, QPointF pixel)
{
    const QPointF share = frame.shareAt(pixel);
    return {readingOf(panel.x, frame.xScale, share.x(), frame.inner.width()),
            readingOf(panel.y, frame.yScale, share.y(), frame.inner.height())};
}

void paintCrosshair(QPainter& painter, const Panel& panel, const PanelFrame& frame, QPointF pixel,
                    const PlotStyle& style)
{
    const QRectF& inner = frame.inner;
    const AxisReading reading = readingAt(panel, frame, pixel);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(style.colors.mutedText, 1.0, Qt::DotLine));
    painter.drawLine(QPointF(pixel.x(), inner.top()), QPointF(pixel.x(), inner.bottom()));
    painter.drawLine(QPointF(inner.left(), pixel.y()), QPointF(inner.right(), pixel.y()));
    const double reach = frame.hasYLabels ? frame.left : 0.0;
    const QRectF below(inner.left() - reach, inner.top(), inner.width() + reach, inner.height());
    if (!reading.x.isEmpty())
        paintPlate(painter, {pixel.x(), inner.bottom() + 5.0 + style.smallHeight() / 2.0}, below, reading.x,
                   style);
    const QRectF beside = reach > 0.0 ? below.adjusted(0.0, 0.0, -inner.width() - 3.0, 0.0) : inner;
    if (!panel.y.isCategory) // the row bears its name already
        paintPlate(painter, {beside.right(), pixel.y()}, beside, reading.y, style);
}

void paintRectangle(QPainter& painter, const QRectF& area, const PlotStyle& style)
{
    QColor fill = style.colors.accent;
    fill.setAlphaF(0.12F);
    painter.setPen(QPen(style.colors.accent, 1.0));
    painter.setBrush(fill);
    painter.drawRect(area);
}

} // namespace quadric::widgets
