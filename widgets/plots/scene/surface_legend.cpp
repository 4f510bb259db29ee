// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/surface_legend.h"

#include "widgets/plots/panel/feasible_region.h"
#include "widgets/plots/panel/panel_marks.h"
#include "widgets/plots/scene/grid_lookup.h"
#include "widgets/plots/scene/surface_mesh.h"
#include "widgets/text/translate.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kSampleShade = 0.35; ///< of the color scale, under the sample of a cell
constexpr double kBelow = 0.01;       ///< of the upright axis: less is on the surface

void paintRunSample(QPainter& painter, const QRectF& sample, const PlotStyle& style)
{
    drawDot(painter, sample.center(), kPointRadius, style.colors.observed, style.colors.observedRim);
}

void paintPaleSample(QPainter& painter, const QRectF& sample, const PlotStyle& style)
{
    drawDot(painter, sample.center(), kPointRadius - 1.0, paleRunColor(style), style.colors.observedRim);
}

void paintHollowSample(QPainter& painter, const QRectF& sample, const PlotStyle& style)
{
    drawHollowDot(painter, sample.center(), kPointRadius, style.colors.observed, style.colors.observedRim);
}

void paintGuessSample(QPainter& painter, const QRectF& sample, const PlotStyle&)
{
    const QColor fill = extrapolatedColor(viridis(kSampleShade));
    painter.fillRect(sample, fill);
    painter.setPen(QPen(fill.darker(135), 0.8));
    painter.drawLine(sample.bottomLeft(), sample.topRight());
}

} // namespace

QColor paleRunColor(const PlotStyle& style)
{
    return blend(style.colors.observed, QColor(Qt::white), 0.5);
}

void drawHollowDot(QPainter& painter, QPointF at, double radius, const QColor& color, const QColor& rim)
{
    drawDot(painter, at, radius, color, rim);
    painter.setBrush(rim);
    painter.drawEllipse(at, radius - 1.8, radius - 1.8);
}

std::vector<LegendItem> surfaceLegend(const model::MarkedSurface& grid, double range)
{
    const auto isHere = [&](const model::ObservedPoint& point) { return isOnGrid(grid, point, range); };
    const auto isBelow = [&](const model::ObservedPoint& point) {
        return point.z < heightUnder(grid, point) - kBelow * range;
    };
    std::vector<LegendItem> legend;
    if (std::ranges::any_of(grid.observed, isHere))
        legend.push_back({tr("run"), &paintRunSample});
    if (!std::ranges::all_of(grid.observed, isHere))
        legend.push_back({tr("run at other settings"), &paintPaleSample});
    if (std::ranges::any_of(grid.observed, isBelow))
        legend.push_back({tr("below the surface"), &paintHollowSample});
    if (grid.isExtrapolation.size() > 0 && grid.isExtrapolation.any())
        legend.push_back({tr("extrapolated"), &paintGuessSample});
    if (!grid.feasible.isEmpty())
        legend.push_back(legendItem(infeasibleEntry()));
    if (!grid.running.isEmpty() && grid.running.value.minCoeff() < grid.running.level)
        legend.push_back(legendItem(failingEntry()));
    if (!grid.failed.empty())
        legend.push_back(legendItem(failedEntry()));
    return legend;
}

} // namespace quadric::widgets
