// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/response_plots.h"

#include "widgets/base/theme.h"
#include "widgets/plots/base/curve_reading.h"
#include "widgets/plots/base/iso_lines.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/plots/scene/surface_mesh.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quadric::widgets {

namespace {

using EffectCurves = std::vector<model::EffectCurve>;

Panel makeEffectPanel(const model::EffectCurve& curve, const AxisScale& response)
{
    Panel panel;
    panel.x = factorAxis(curve);
    panel.y = {nameWithUnit(curve.response, curve.responseUnit), response};
    addCurve(panel, curve);
    panel.reading = [curve](double x, double) { return describeCurve(curve, x); };
    for (std::size_t i = 0; i < std::min(curve.adjustedAt.size(), curve.adjustedMean.size()); ++i)
        panel.dots.push_back({.x = curve.adjustedAt[i],
                              .y = curve.adjustedMean[i],
                              .role = DotRole::Mean,
                              .tip = adjustedTip(curve, i)});
    return panel;
}

std::vector<LegendEntry> makeEffectLegend(const EffectCurves& curves)
{
    std::vector<LegendEntry> legend;
    const bool hasBand = std::ranges::any_of(curves, [](const auto& curve) { return !curve.low.empty(); });
    using Sample = LegendEntry::Sample;
    legend.push_back(hasBand ? LegendEntry{Sample::LineInBand, MainEffectsPlot::tr("fit, 95 % band")}
                             : LegendEntry{Sample::Line, MainEffectsPlot::tr("fit")});
    if (std::ranges::any_of(curves, [](const auto& curve) { return !curve.adjustedMean.empty(); }))
        legend.push_back({Sample::Dot, MainEffectsPlot::tr("runs, adjusted"), DotRole::Mean});
    addExtrapolationEntry(legend, curves);
    return legend;
}

TextTable makeCurveTable(const EffectCurves& curves)
{
    TextTable table;
    table.caption = MainEffectsPlot::tr("Main effects");
    table.columns = curveColumns();
    table.columns.insert(table.columns.begin(), {MainEffectsPlot::tr("Factor"), {}, false});
    for (const model::EffectCurve& curve : curves)
        addRows(table, curve, {nameWithUnit(curve.factor, curve.unit)});
    return table;
}

using PerturbationCurves = std::vector<model::PerturbationCurve>;

TextTable makeCurveTable(const PerturbationCurves& curves)
{
    TextTable table;
    table.caption = PerturbationPlot::tr("Perturbation");
    table.columns = curveColumns();
    table.columns.insert(table.columns.begin(), {{PerturbationPlot::tr("Factor"), {}, false},
                                                 {PerturbationPlot::tr("Coded"), {}, true}});
    for (const model::PerturbationCurve& curve : curves)
        for (std::size_t i = 0; i < curve.coded.size(); ++i) {
            const auto at = [i](const std::vector<double>& values) {
                return i < values.size() ? formatNumber(values[i]) : QString();
            };
            table.rows.push_back({nameWithUnit(curve.factor, curve.unit), at(curve.coded), at(curve.actual),
                                  at(curve.mean), at(curve.low), at(curve.high)});
        }
    return table;
}

/// The curves over actual values of their factors, with the coded distances at which these lie.
struct ReadableCurve {
    std::vector<double> coded;
    model::EffectCurve curve;
};

std::vector<ReadableCurve> readableCurves(const PerturbationCurves& curves, const QString& response,
                                          const std::string& unit)
{
    std::vector<ReadableCurve> readable;
    for (const model::PerturbationCurve& each : curves) {
        model::EffectCurve curve;
        curve.factor = each.factor;
        curve.unit = each.unit;
        curve.response = response.toStdString();
        curve.responseUnit = unit;
        curve.actual = each.actual;
        curve.mean = each.mean;
        curve.low = each.low;
        curve.high = each.high;
        readable.push_back({each.coded, std::move(curve)});
    }
    return readable;
}

/// What the curve that passes nearest to a place says there.
QString describeNearest(const std::vector<ReadableCurve>& curves, double coded, double response)
{
    QString text;
    double nearest = INFINITY;
    for (const ReadableCurve& each : curves) {
        const auto at = std::ranges::min_element(each.coded, {},
                                                 [coded](double value) { return std::abs(value - coded); });
        const auto index = static_cast<std::size_t>(at - each.coded.begin());
        if (const double away = std::abs(each.curve.mean[index] - response); away < nearest) {
            nearest = away;
            text = describeCurve(each.curve, each.curve.actual[index]);
        }
    }
    return text;
}

GridAxes makeSurfaceAxes(const model::MarkedSurface& grid)
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
void addRegions(Panel& panel, const model::MarkedSurface& grid, const AxisScale& scale, std::size_t stride)
{
    const GridAxes axes = makeSurfaceAxes(grid);
    const std::vector<ColorBand> bands = colorBands(grid.z, scale);
    for (std::size_t i = 0; i < bands.size(); i += stride) {
        PanelRegion& region = panel.regions.emplace_back();
        region.level = bands[i].share;
        for (const std::vector<Eigen::Vector2d>& outline : bands[i].outlines)
            region.outlines.push_back(axes.polygonOf(outline));
    }
}

void addHatches(PanelBoard& board, Panel& panel, const model::MarkedSurface& grid)
{
    const GridAxes axes = makeSurfaceAxes(grid);
    std::vector<QPolygonF> cells =
        axes.cellsWhere([&grid](Eigen::Index i, Eigen::Index j) { return isExtrapolated(grid, i, j); });
    if (!cells.empty())
        panel.regions.push_back({std::move(cells), RegionRole::Unsupported});
    addFailing(board, panel, axes, grid.running);
    addInfeasible(board, panel, axes, grid.feasible);
}

void addContours(Panel& panel, const model::MarkedSurface& grid, const AxisScale& scale)
{
    const GridAxes axes = makeSurfaceAxes(grid);
    for (const Tick& tick : contourTicks(scale))
        for (const IsoLine& line : isoLines(grid.z, {tick.value}))
            panel.contours.push_back({axes.polygonOf(line.points), tick.label, scale.fractionOf(tick.value)});
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
    if (std::ranges::any_of(panel.regions, [](const PanelRegion& region) {
            return region.role == RegionRole::Unsupported && !region.outlines.empty();
        }))
        legend.push_back({.sample = Sample::Region,
                          .text = ContourPlot::tr("extrapolated"),
                          .region = RegionRole::Unsupported});
    return legend;
}

} // namespace

MainEffectsPlot::MainEffectsPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Main effects"));
    clear(tr("No effects yet."));
}

void MainEffectsPlot::setCurves(const std::vector<model::EffectCurve>& curves)
{
    EffectCurves usable;
    std::ranges::copy_if(curves, std::back_inserter(usable),
                         [](const model::EffectCurve& curve) { return isUsable(curve); });
    if (usable.empty())
        return clear(tr("The model has no factors to show."));
    PanelBoard board;
    board.title = nameWithUnit(usable.front().response, usable.front().responseUnit);
    board.sharesY = true;
    board.legend = makeEffectLegend(usable);
    const AxisScale response = responseScale(usable);
    for (const model::EffectCurve& curve : usable)
        board.panels.push_back(makeEffectPanel(curve, response));
    board.table = makeCurveTable(usable);
    setBoard(std::move(board));
}

PerturbationPlot::PerturbationPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Perturbation"));
    clear(tr("No effects yet."));
}

void PerturbationPlot::setCurves(const PerturbationCurves& curves, const QString& response,
                                 const std::string& unit)
{
    if (curves.empty())
        return clear(tr("The model has no numeric factors to move."));
    Panel panel;
    PanelBoard board;
    std::vector<double> values, coded;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const int category = static_cast<int>(i);
        const model::PerturbationCurve& curve = curves[i];
        values.insert(values.end(), curve.mean.begin(), curve.mean.end());
        coded.insert(coded.end(), curve.coded.begin(), curve.coded.end());
        panel.lines.push_back({curve.coded, curve.mean, LineRole::Fit, category, {}});
        board.legend.push_back(
            {LegendEntry::Sample::Line, nameText(curve.factor), DotRole::Observed, LineRole::Fit, category});
    }
    panel.x = {tr("change of the factor from where it is held, coded"), scaleOver(coded, false)};
    panel.y = {nameWithUnit(response.toStdString(), unit), scaleOver(values, false, 0.05)};
    panel.reading = [shown = readableCurves(curves, response, unit)](double x, double y) {
        return describeNearest(shown, x, y);
    };
    board.title = panel.y.title;
    board.panels.push_back(std::move(panel));
    board.table = makeCurveTable(curves);
    setBoard(std::move(board));
}

ContourPlot::ContourPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Contour map"));
    clear(tr("No map yet."));
}

PanelBoard makeMapBoard(const std::shared_ptr<const model::MarkedSurface>& shown, std::size_t stride)
{
    const model::MarkedSurface& grid = *shown;
    const AxisScale scale = scaleOver({grid.z.data(), grid.z.data() + grid.z.size()}, false);
    PanelBoard board;
    board.title = nameWithUnit(grid.response, grid.responseUnit);
    board.colors = scale;
    Panel& panel = board.panels.emplace_back(axesAround(grid));
    addRegions(panel, grid, scale, stride);
    addHatches(board, panel, grid);
    addContours(panel, grid, scale);
    addRuns(panel, grid, scale);
    addFailedRuns(board, panel, grid.failed);
    const std::vector<LegendEntry> legend = mapLegend(panel);
    board.legend.insert(board.legend.begin(), legend.begin(), legend.end());
    panel.reading = [shown](double x, double y) { return describe(*shown, x, y); };
    return board;
}

void ContourPlot::setGrid(const model::MarkedSurface& grid)
{
    if (!isUsable(grid))
        return clear(tr("The map has no values to show."));
    m_grid = std::make_shared<const model::MarkedSurface>(grid);
    setBoard(makeMapBoard(m_grid));
}

TextTable ContourPlot::table() const
{
    return board().panels.empty() ? TextTable() : gridTable(*m_grid);
}

} // namespace quadric::widgets
