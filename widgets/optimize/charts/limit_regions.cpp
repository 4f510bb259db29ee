// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/limit_regions.h"

#include "widgets/base/theme.h"
#include "widgets/plots/base/grid_outlines.h"
#include "widgets/plots/base/iso_lines.h"
#include "widgets/plots/panel/feasible_region.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <QCoreApplication>

namespace quadric::widgets {

namespace {

/// One limit of one response.
struct OneLimit {
    int layer = 0; ///< of the map
    double limit = 0.0;
    bool isLow = false;
    QString name;
};

OneLimit oneLimit(const optimize::LimitLayer& layer, int index, double limit, bool isLow)
{
    return {index, limit, isLow,
            QString::fromStdString(layer.response) + (isLow ? QStringLiteral(" ≥ ") : QStringLiteral(" ≤ ")) +
                formatNumber(limit)};
}

std::vector<OneLimit> limitsOf(const optimize::LimitMap& map)
{
    std::vector<OneLimit> limits;
    for (std::size_t i = 0; i < map.layers.size(); ++i) {
        const optimize::LimitLayer& layer = map.layers[i];
        if (layer.low)
            limits.push_back(oneLimit(layer, static_cast<int>(i), *layer.low, true));
        if (layer.high)
            limits.push_back(oneLimit(layer, static_cast<int>(i), *layer.high, false));
    }
    return limits;
}

void addForbidden(Panel& panel, const GridAxes& axes, const Eigen::MatrixXd& excess, int response)
{
    PanelRegion region{.role = RegionRole::Forbidden, .limitOf = response};
    for (const std::vector<Eigen::Vector2d>& outline : isoRegion(excess, 0.0))
        region.outlines.push_back(axes.polygonOf(outline));
    if (!region.outlines.empty())
        panel.regions.push_back(std::move(region));
}

/// Lines where a grid is 0; the name stands on the longest piece.
void addLines(Panel& panel, const GridAxes& axes, const Eigen::MatrixXd& margin, const PanelContour& like)
{
    PanelContour* longest = nullptr;
    const std::size_t first = panel.contours.size();
    for (const IsoLine& line : isoLines(margin, {0.0})) {
        PanelContour& added = panel.contours.emplace_back(like);
        added.points = axes.polygonOf(line.points);
        added.label.clear();
    }
    for (std::size_t i = first; i < panel.contours.size(); ++i)
        if (longest == nullptr || panel.contours[i].points.size() > longest->points.size())
            longest = &panel.contours[i];
    if (longest != nullptr)
        longest->label = like.label;
}

GridAxes axesOver(const Panel& panel, const optimize::LimitMap& map)
{
    return {panel.x.scale, panel.y.scale, static_cast<Eigen::Index>(map.x.size()),
            static_cast<Eigen::Index>(map.y.size())};
}

/// Where a grid is above a level, and what the legend calls that; nothing where it is so nowhere.
void addRegion(PanelBoard& board, Panel& panel, const Eigen::MatrixXd& grid, double level, RegionRole role,
               const QString& text)
{
    if (grid.size() == 0)
        return;
    const GridAxes axes{panel.x.scale, panel.y.scale, grid.rows(), grid.cols()};
    PanelRegion region{.role = role};
    for (const std::vector<Eigen::Vector2d>& outline : isoRegion(grid, level))
        region.outlines.push_back(axes.polygonOf(outline));
    if (region.outlines.empty())
        return;
    panel.regions.push_back(std::move(region));
    board.legend.push_back({.sample = LegendEntry::Sample::Region, .text = text, .region = role});
}

} // namespace

void addLimits(Panel& panel, const optimize::LimitMap& map)
{
    const GridAxes axes = axesOver(panel, map);
    for (const OneLimit& limit : limitsOf(map)) {
        const Eigen::MatrixXd& value = map.layers[static_cast<std::size_t>(limit.layer)].value;
        const Eigen::MatrixXd excess = ((value.array() - limit.limit) * (limit.isLow ? -1.0 : 1.0)).matrix();
        addForbidden(panel, axes, excess, limit.layer);
        addLines(panel, axes, -excess, {.label = limit.name, .limitOf = limit.layer});
    }
}

void addContoursAt(Panel& panel, const optimize::LimitMap& map,
                   const std::vector<std::optional<double>>& values)
{
    const GridAxes axes = axesOver(panel, map);
    for (std::size_t i = 0; i < std::min(values.size(), map.layers.size()); ++i) {
        const optimize::LimitLayer& layer = map.layers[i];
        if (values[i])
            addLines(panel, axes, (layer.value.array() - *values[i]).matrix(),
                     {.label = namedValue(nameText(layer.response), *values[i], layer.unit),
                      .limitOf = static_cast<int>(i),
                      .isLimit = false});
    }
}

void addFailures(PanelBoard& board, Panel& panel, const optimize::LimitMap& map)
{
    addFailing(board, panel, axesOver(panel, map), map.running);
    addFailedRuns(board, panel, map.failed);
}

void addConstraints(PanelBoard& board, Panel& panel, const optimize::LimitMap& map)
{
    addInfeasible(board, panel, axesOver(panel, map), map.constraints);
}

void addUnsupported(PanelBoard& board, Panel& panel, const optimize::LimitMap& map,
                    const Eigen::MatrixXd& support)
{
    if (support.size() == 0 || !(support.array() < 0.0 && map.isAllowed.array()).any())
        return;
    addRegion(board, panel, -support, 0.0, RegionRole::Unsupported,
              QCoreApplication::translate("ContourPlot", "extrapolated"));
}

void addPlaces(PanelBoard& board, Panel& panel, const Eigen::MatrixXd& places)
{
    addRegion(board, panel, places, 0.5, RegionRole::Confidence,
              QCoreApplication::translate("ContourProfilerPlot", "may be the best (95 %)"));
}

} // namespace quadric::widgets
