// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/limit_regions.h"

#include "widgets/base/theme.h"
#include "widgets/plots/base/grid_outlines.h"
#include "widgets/plots/base/iso_lines.h"

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

void addForbidden(Panel& panel, const GridAxes& axes, const Eigen::MatrixXd& excess)
{
    PanelRegion region{.role = RegionRole::Forbidden};
    for (const std::vector<Eigen::Vector2d>& outline : isoRegion(excess, 0.0))
        region.outlines.push_back(axes.polygonOf(outline));
    if (!region.outlines.empty())
        panel.regions.push_back(std::move(region));
}

/// The name stands on the longest piece of the line.
void addLine(Panel& panel, const GridAxes& axes, const Eigen::MatrixXd& margin, const OneLimit& limit)
{
    PanelContour* longest = nullptr;
    const std::size_t first = panel.contours.size();
    for (const IsoLine& line : isoLines(margin, {0.0}))
        panel.contours.push_back({.points = axes.polygonOf(line.points), .limitOf = limit.layer});
    for (std::size_t i = first; i < panel.contours.size(); ++i)
        if (longest == nullptr || panel.contours[i].points.size() > longest->points.size())
            longest = &panel.contours[i];
    if (longest != nullptr)
        longest->label = limit.name;
}

} // namespace

void addLimits(Panel& panel, const optimize::LimitMap& map)
{
    const AxisScale& x = panel.x.scale;
    const AxisScale& y = panel.y.scale;
    const GridAxes axes{x, y, static_cast<Eigen::Index>(map.x.size()),
                        static_cast<Eigen::Index>(map.y.size())};
    const QPolygonF whole(QRectF(QPointF(x.low, y.low), QPointF(x.high, y.high)));
    panel.regions.push_back({{whole}, RegionRole::Feasible});
    for (const OneLimit& limit : limitsOf(map)) {
        const Eigen::MatrixXd& value = map.layers[static_cast<std::size_t>(limit.layer)].value;
        const Eigen::MatrixXd excess = ((value.array() - limit.limit) * (limit.isLow ? -1.0 : 1.0)).matrix();
        addForbidden(panel, axes, excess);
        addLine(panel, axes, -excess, limit);
    }
    panel.regions.push_back({axes.cellsWhere([&map](Eigen::Index i, Eigen::Index j) {
                                 return !map.isAllowed.block<2, 2>(i, j).all();
                             }),
                             RegionRole::Barred});
}

void addPlaces(Panel& panel, const Eigen::MatrixXd& places)
{
    const GridAxes axes{panel.x.scale, panel.y.scale, places.rows(), places.cols()};
    PanelRegion region{.role = RegionRole::Confidence};
    if (places.size() > 0) {
        for (const std::vector<Eigen::Vector2d>& outline : isoRegion(places, 0.5))
            region.outlines.push_back(axes.polygonOf(outline));
    }
    if (region.outlines.empty())
        return;
    panel.regions.push_back(std::move(region));
    panel.note =
        QCoreApplication::translate("LimitPlot", "Dashed outline: settings that may be the best (95 %).");
}

} // namespace quadric::widgets
