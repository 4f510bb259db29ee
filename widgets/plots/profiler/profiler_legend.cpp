// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler/profiler_legend.h"

#include "widgets/plots/panel/feasible_region.h"
#include "widgets/plots/panel/panel_marks.h"
#include "widgets/text/translate.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

namespace {

bool hasCell(const ProfilerData& data, auto isMeant)
{
    return std::ranges::any_of(
        data.cells, [&](const std::vector<ProfilerCell>& row) { return std::ranges::any_of(row, isMeant); });
}

void paintGuess(QPainter& painter, const QRectF& sample, const PlotStyle& style)
{
    painter.setPen(QPen(style.colors.mutedText, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(sample.left(), sample.center().y()),
                     QPointF(sample.right(), sample.center().y()));
}

void paintShade(QPainter& painter, const QRectF& sample, const PlotStyle& style)
{
    painter.fillRect(sample, shadeColor(style));
}

void paintHill(QPainter& painter, const QRectF& sample, const PlotStyle& style)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(hillColor(style));
    painter.drawPolygon(
        QPolygonF({sample.bottomLeft(), QPointF(sample.center().x(), sample.top()), sample.bottomRight()}));
}

} // namespace

QColor hillColor(const PlotStyle& style)
{
    return blend(style.colors.good, style.colors.background, 0.45);
}

QColor shadeColor(const PlotStyle& style)
{
    constexpr double kShade = 0.16; // of the axes' color, behind everything
    return blend(style.colors.axis, style.colors.background, kShade);
}

std::vector<LegendItem> profilerLegend(const ProfilerData& data)
{
    std::vector<LegendItem> legend;
    if (hasCell(data, [](const ProfilerCell& cell) {
            return std::ranges::find(cell.curve.isExtrapolation, true) != cell.curve.isExtrapolation.end();
        }))
        legend.push_back({tr("extrapolated"), &paintGuess});
    const auto isFilled = [](const std::vector<ProfilerRange>& ranges) { return !ranges.empty(); };
    if (std::ranges::any_of(data.infeasible, isFilled))
        legend.push_back(legendItem(infeasibleEntry()));
    if (std::ranges::any_of(data.failing, isFilled))
        legend.push_back(legendItem(failingEntry()));
    if (std::ranges::any_of(data.shaded, isFilled))
        legend.push_back({tr("may be the best (95 %)"), &paintShade});
    if (hasCell(data, [](const ProfilerCell& cell) {
            return std::ranges::any_of(cell.desirability, [](double d) { return d > 0.0; });
        }))
        legend.push_back({tr("desirability"), &paintHill});
    return legend;
}

} // namespace quadric::widgets
