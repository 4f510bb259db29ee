// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/color_bar.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kSteps = 64;
constexpr double kColorBarWidth = 11.0;
constexpr double kLead = 8.0;   ///< between the plot and the bar
constexpr double kShare = 0.66; ///< of the height

} // namespace

double colorBarWidth(const AxisScale& scale, double height, const PlotStyle& style)
{
    const QFontMetricsF metrics(style.small);
    double width = 0.0;
    for (const Tick& tick : verticalTicks(scale, kShare * height, metrics))
        width = std::max(width, metrics.horizontalAdvance(tick.label));
    return kLead + kColorBarWidth + width + 9.0;
}

void paintColorBar(QPainter& painter, const QRectF& area, const AxisScale& scale, const PlotStyle& style)
{
    const QRectF bar(area.left() + kLead, area.top() + area.height() * 0.14, kColorBarWidth,
                     area.height() * kShare);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double step = bar.height() / kSteps;
    for (int i = 0; i < kSteps; ++i)
        painter.fillRect(QRectF(bar.left(), bar.bottom() - (i + 1) * step, bar.width(), step + 0.5),
                         viridis((i + 0.5) / kSteps));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Tick& tick : verticalTicks(scale, bar.height(), QFontMetricsF(style.small))) {
        const double y = bar.bottom() - scale.fractionOf(tick.value) * bar.height();
        painter.setPen(QPen(style.colors.axis, 1.0));
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3.0, y));
        drawLine(painter, {bar.right() + 6.0, y - 8.0, 200.0, 16.0}, Qt::AlignLeft | Qt::AlignVCenter,
                 style.small, style.colors.mutedText, tick.label);
    }
}

} // namespace quadric::widgets
