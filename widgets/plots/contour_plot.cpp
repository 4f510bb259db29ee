// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/contour_plot.h"

#include "widgets/plots/base/contour_bands.h"
#include "widgets/plots/base/grid_outlines.h"
#include "widgets/plots/base/iso_lines.h"
#include "widgets/plots/panel/feasible_region.h"
#include "widgets/plots/scene/grid_lookup.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <utility>

namespace quadric::widgets {

namespace {

GridAxes axesOf(const model::MarkedSurface& grid)
{
    return {{grid.x.front(), grid.x.back(), grid.xIsLog2},
            {grid.y.front(), grid.y.back(), grid.yIsLog2},
            grid.z.rows(),
            grid.z.cols()};
}

/// Axes over the grid and the runs beside it.
Panel axesAround(const model::MarkedSurface& grid)
{
    std::vector<double> xs{grid.x.front(), grid.x.back()}, ys{grid.y.front(), grid.y.back()};
    for (const model::ObservedPoint& point : grid.observed) {
        xs.push_back(point.x);
        ys.push_back(point.y);
    }
    for (const model::FailedPoint& point : grid.failed) {
        xs.push_back(point.x);
        ys.push_back(point.y);
    }
    Panel panel;
    panel.grid = PanelGrid::None;
    panel.x = {nameWithUnit(grid.xName, grid.xUnit), scaleOver(xs, grid.xIsLog2, 0.02)};
    panel.y = {nameWithUnit(grid.yName, grid.yUnit), scaleOver(ys, grid.yIsLog2, 0.02)};
    return panel;
}

/// Each band over the lower ones, so that nothing shines through between two of them.
void addRegions(Panel& panel, const model::MarkedSurface& grid, const AxisScale& scale)
{
    const GridAxes axes = axesOf(grid);
    for (const ColorBand& band : colorBands(grid.z, scale)) {
        PanelRegion& region = panel.regions.emplace_back();
        region.level = band.share;
        for (const std::vector<Eigen::Vector2d>& outline : band.outlines)
            region.outlines.push_back(axes.polygonOf(outline));
    }
}

void addHatches(PanelBoard& board, Panel& panel, const model::MarkedSurface& grid)
{
    const GridAxes axes = axesOf(grid);
    std::vector<QPolygonF> cells =
        axes.cellsWhere([&grid](Eigen::Index i, Eigen::Index j) { return isExtrapolated(grid, i, j); });
    if (!cells.empty())
        panel.regions.push_back({std::move(cells), RegionRole::Unsupported});
    addFailing(board, panel, axes, grid.running);
    addInfeasible(board, panel, axes, grid.feasible);
}

void addContours(Panel& panel, const model::MarkedSurface& grid, const AxisScale& scale)
{
    const GridAxes axes = axesOf(grid);
    for (const Tick& tick : contourTicks(scale))
        for (const IsoLine& line : isoLines(grid.z, {tick.value}))
            panel.contours.push_back({axes.polygonOf(line.points), tick.label, scale.fractionOf(tick.value)});
}

/// Where the stationary point of the map may be.
void addStationary(Panel& panel, const model::MarkedSurface& grid, const Eigen::MatrixXd& ratios)
{
    GridAxes axes = axesOf(grid);
    axes.rows = ratios.rows();
    axes.columns = ratios.cols();
    PanelRegion region{.role = RegionRole::Confidence};
    for (const std::vector<Eigen::Vector2d>& outline : isoRegion(-ratios, -1.0))
        region.outlines.push_back(axes.polygonOf(outline));
    if (region.outlines.empty())
        return;
    panel.regions.push_back(std::move(region));
}

/// Runs whose other factors differ from the map's are faint.
void addRuns(Panel& panel, const model::MarkedSurface& grid, const AxisScale& scale)
{
    for (const model::ObservedPoint& point : grid.observed)
        panel.dots.push_back(
            {.x = point.x,
             .y = point.y,
             .run = point.run,
             .role = isOnGrid(grid, point, scale.high - scale.low) ? DotRole::Observed : DotRole::Faint,
             .tip = describe(grid, point)});
}

/// Of what the map shows besides its lines.
std::vector<LegendEntry> mapLegend(const Panel& panel)
{
    using Sample = LegendEntry::Sample;
    std::vector<LegendEntry> legend;
    const auto hasDot = [&panel](DotRole role) {
        return std::ranges::count(panel.dots, role, &PanelDot::role) > 0;
    };
    if (hasDot(DotRole::Observed))
        legend.push_back({Sample::Dot, ContourPlot::tr("run")});
    if (hasDot(DotRole::Faint))
        legend.push_back({Sample::Dot, ContourPlot::tr("run at other settings"), DotRole::Faint});
    for (const auto& [role, text] :
         {std::pair(RegionRole::Unsupported, ContourPlot::tr("extrapolated")),
          std::pair(RegionRole::Confidence, ContourPlot::tr("stationary point (95 %)"))})
        if (std::ranges::any_of(panel.regions, [role = role](const PanelRegion& region) {
                return region.role == role && !region.outlines.empty();
            }))
            legend.push_back({.sample = Sample::Region, .text = text, .region = role});
    return legend;
}

} // namespace

ContourPlot::ContourPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Contour map"));
    clear(tr("No map yet."));
}

void ContourPlot::setGrid(const model::MarkedSurface& grid, const Eigen::MatrixXd& stationary)
{
    if (!isUsable(grid))
        return clear(tr("The map has no values to show."));
    m_grid = std::make_shared<const model::MarkedSurface>(grid);
    const AxisScale scale = scaleOver({grid.z.data(), grid.z.data() + grid.z.size()}, false);
    PanelBoard board;
    board.title = nameWithUnit(grid.response, grid.responseUnit);
    board.colors = scale;
    Panel& panel = board.panels.emplace_back(axesAround(grid));
    addRegions(panel, grid, scale);
    addHatches(board, panel, grid);
    addContours(panel, grid, scale);
    if (stationary.size() > 0)
        addStationary(panel, grid, stationary);
    addRuns(panel, grid, scale);
    addFailedRuns(board, panel, grid.failed);
    const std::vector<LegendEntry> legend = mapLegend(panel);
    board.legend.insert(board.legend.begin(), legend.begin(), legend.end());
    panel.reading = [shown = m_grid](double x, double y) { return describe(*shown, x, y); };
    setBoard(std::move(board));
}

TextTable ContourPlot::table() const
{
    return board().panels.empty() ? TextTable() : gridTable(*m_grid);
}

} // namespace quadric::widgets
