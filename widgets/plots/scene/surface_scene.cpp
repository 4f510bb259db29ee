// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/surface_scene.h"

#include "widgets/plots/base/iso_lines.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_marks.h"
#include "widgets/plots/scene/surface_mesh.h"
#include "widgets/text/wording.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quadric::widgets {

namespace {

constexpr double kSurfacePointReach = 10.0; ///< pixels around a point that count as a click on it
constexpr double kLargestBias = 0.3;        ///< box units
constexpr int kContours = 8;

constexpr double kSampleShade = 0.35; ///< of the color scale, under the sample of a cell
constexpr double kBelow = 0.01;       ///< of the upright axis: less is on the surface
constexpr double kPointRadius = 4.0;  ///< of a run on a surface, pixels

/// Of a run whose other factors are not where the surface holds them.
QColor paleRunColor(const PlotStyle& style)
{
    return blend(style.colors.observed, QColor(Qt::white), 0.5);
}

/// An open dot: seen through the surface.
void drawHollowDot(QPainter& painter, QPointF at, double radius, const QColor& color, const QColor& rim)
{
    drawDot(painter, at, radius, color, rim);
    painter.setBrush(rim);
    painter.drawEllipse(at, radius - 1.8, radius - 1.8);
}

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

/// What the encodings of a surface mean: those that appear. `range`: of its upright axis.
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

bool hasNets(const model::MarkedSurface& grid)
{
    const auto fits = [&grid](const Eigen::MatrixXd& heights) {
        return heights.rows() == grid.z.rows() && heights.cols() == grid.z.cols();
    };
    return fits(grid.low) && fits(grid.high);
}

} // namespace

/// Cells from the farthest to the nearest, by the distance of their middle from the eye on the base. A line
/// of sight only ever leads away from the eye in x and in y, so a cell can hide another one only if it is
/// nearer in both, and then its middle is nearer too.
struct SurfaceScene::DrawOrder {
    struct Cell {
        double distance = 0.0;
        std::size_t i = 0, j = 0;
        unsigned sides = 0; ///< bit k: the cell behind its edge k is drawn before, or there is none
    };
    std::vector<Cell> cells;

    /// Number of cells to be drawn before something at this distance.
    std::size_t countCellsBehind(double distance) const
    {
        const auto nearer =
            std::ranges::lower_bound(cells, distance, std::ranges::greater{}, &Cell::distance);
        return static_cast<std::size_t>(nearer - cells.begin());
    }
};

struct SurfaceScene::Mark {
    const model::ObservedPoint* point = nullptr; ///< null: a run that failed
    const model::FailedPoint* failed = nullptr;
    QPointF dot, foot;        ///< observed value, and the surface over or under it
    std::size_t slot = 0;     ///< cells drawn before it
    bool isBelow = false;     ///< under the surface by more than the dot shows
    bool isElsewhere = false; ///< other factors of the run are not at the values of this surface

    int runId() const { return point ? point->run : failed->run; }
};

SurfaceScene::SurfaceScene(const model::MarkedSurface& grid, bool withInterval)
    : m_grid(grid)
{
    withInterval = withInterval && hasNets(m_grid);
    scaleAxes(withInterval);
    buildMeshes(withInterval);
    m_legend = surfaceLegend(m_grid, m_scales.z.high - m_scales.z.low);
}

SurfaceScene SurfaceScene::coarser(std::size_t nodes) const
{
    SurfaceScene scene = *this;
    scene.m_grid = thinned(m_grid, nodes);
    scene.buildMeshes(!m_nets.empty());
    return scene;
}

void SurfaceScene::buildMeshes(bool withInterval)
{
    const auto edgesOf = [](const std::vector<double>& values, const AxisScale& scale) {
        std::vector<double> edges;
        edges.reserve(values.size());
        for (const double value : values)
            edges.push_back(2.0 * scale.fractionOf(value) - 1.0);
        return edges;
    };
    m_xEdges = edgesOf(m_grid.x, m_scales.x);
    m_yEdges = edgesOf(m_grid.y, m_scales.y);
    m_surface = {SurfaceMesh(m_grid, m_grid.z, m_scales, SurfaceMesh::Kind::Surface)};
    m_nets.clear();
    if (withInterval)
        for (const Eigen::MatrixXd* heights : {&m_grid.low, &m_grid.high})
            m_nets.emplace_back(m_grid, *heights, m_scales, SurfaceMesh::Kind::Net);
    traceFloorContours();
}

void SurfaceScene::scaleAxes(bool withInterval)
{
    std::vector<double> xs = m_grid.x;
    std::vector<double> ys = m_grid.y;
    std::vector<double> zs(m_grid.z.data(), m_grid.z.data() + m_grid.z.size());
    m_scales.colors = scaleOver(zs, false);
    for (const model::ObservedPoint& point : m_grid.observed) {
        xs.push_back(point.x);
        ys.push_back(point.y);
        zs.push_back(point.z);
    }
    for (const Eigen::MatrixXd* heights : {&m_grid.low, &m_grid.high})
        if (withInterval)
            zs.insert(zs.end(), heights->data(), heights->data() + heights->size());
    m_scales.x = scaleOver(xs, m_grid.xIsLog2);
    m_scales.y = scaleOver(ys, m_grid.yIsLog2);
    m_scales.z = scaleOver(zs, false, 0.04);
    m_axes.x = boxAxis(nameWithUnit(m_grid.xName, m_grid.xUnit), m_scales.x, 6);
    m_axes.y = boxAxis(nameWithUnit(m_grid.yName, m_grid.yUnit), m_scales.y, 6);
    m_axes.z = boxAxis({}, m_scales.z, 6);
}

/// Lines of equal response, laid on the floor.
void SurfaceScene::traceFloorContours()
{
    std::vector<double> levels;
    for (const Tick& tick : chooseTicks(m_scales.colors, kContours))
        levels.push_back(tick.value);
    const auto along = [](const std::vector<double>& edges, double index) {
        const auto k = std::min(static_cast<std::size_t>(index), edges.size() - 2);
        return std::lerp(edges[k], edges[k + 1], index - static_cast<double>(k));
    };
    m_contours.clear();
    for (const IsoLine& line : isoLines(m_grid.z, levels)) {
        FloorLine floor{m_scales.colorOf(line.level), {}};
        for (const Eigen::Vector2d& point : line.points)
            floor.points.push_back(
                {along(m_xEdges, point.x()), along(m_yEdges, point.y()), -SurfaceScales::kHeight});
        m_contours.push_back(std::move(floor));
    }
}

SurfaceScene::DrawOrder SurfaceScene::orderFrom(const Projection& projection) const
{
    const Point3 eye = projection.eye();
    const auto middle = [](const std::vector<double>& edges, std::size_t k) {
        return (edges[k] + edges[k + 1]) / 2.0;
    };
    const SurfaceMesh& mesh = m_surface.front();
    const auto distanceOf = [&](std::size_t i, std::size_t j) {
        return std::hypot(middle(m_xEdges, i) - eye.x, middle(m_yEdges, j) - eye.y);
    };
    const auto sidesOf = [&](std::size_t i, std::size_t j) {
        const auto isBefore = [&, distance = distanceOf(i, j)](std::size_t k, std::size_t l) {
            return k >= mesh.rows() || l >= mesh.columns() || !mesh.isDrawn(k, l) ||
                   distanceOf(k, l) >= distance;
        };
        return unsigned(isBefore(i, j - 1)) | unsigned(isBefore(i + 1, j)) << 1U |
               unsigned(isBefore(i, j + 1)) << 2U | unsigned(isBefore(i - 1, j)) << 3U;
    };
    DrawOrder order;
    order.cells.reserve(mesh.rows() * mesh.columns());
    for (std::size_t i = 0; i < mesh.rows(); ++i)
        for (std::size_t j = 0; j < mesh.columns(); ++j)
            order.cells.push_back({distanceOf(i, j), i, j, sidesOf(i, j)});
    std::ranges::sort(order.cells, std::ranges::greater{}, &DrawOrder::Cell::distance);
    return order;
}

/// A dot on the surface must not lose its lower half to the next cells: it is drawn as if it stood nearer to
/// the eye by what it covers of the surface. Hills farther away than that still hide it.
double SurfaceScene::markDepthBias(const Projection& projection) const
{
    const double slope = std::max(0.15, std::sin(projection.elevation() * std::numbers::pi / 180.0));
    const double covered = std::min(kLargestBias, 1.6 * kPointRadius / projection.scale() / slope);
    return covered + std::hypot(2.0 / static_cast<double>(m_surface.front().rows()),
                                2.0 / static_cast<double>(m_surface.front().columns())) /
                         2.0;
}

bool SurfaceScene::isOnThisSurface(const model::ObservedPoint& point) const
{
    return isOnGrid(m_grid, point, m_scales.z.high - m_scales.z.low);
}

std::vector<SurfaceScene::Mark> SurfaceScene::marksFrom(const Projection& projection,
                                                        const DrawOrder& order) const
{
    const Point3 eye = projection.eye();
    const double bias = markDepthBias(projection);
    std::vector<Mark> marks;
    for (const model::ObservedPoint& point : m_grid.observed) {
        const Point3 base = m_scales.place(point.x, point.y, point.z);
        if (!std::isfinite(base.x) || !std::isfinite(base.y) || !std::isfinite(base.z))
            continue;
        Mark mark;
        mark.point = &point;
        mark.dot = projection.toScreen(base);
        const double surface = heightUnder(m_grid, point);
        mark.foot = std::isfinite(surface) ? projection.toScreen(m_scales.place(point.x, point.y, surface))
                                           : mark.dot;
        mark.isElsewhere = !isOnThisSurface(point);
        mark.isBelow = mark.dot.y() - mark.foot.y() > kPointRadius;
        mark.slot = order.countCellsBehind(std::hypot(base.x - eye.x, base.y - eye.y) - bias);
        marks.push_back(mark);
    }
    addFailedMarks(projection, order, marks);
    std::ranges::stable_sort(marks, {}, &Mark::slot);
    return marks;
}

/// Runs that failed have no response: they stand on the surface.
void SurfaceScene::addFailedMarks(const Projection& projection, const DrawOrder& order,
                                  std::vector<Mark>& marks) const
{
    const Point3 eye = projection.eye();
    const double bias = markDepthBias(projection);
    for (const model::FailedPoint& point : m_grid.failed) {
        const auto place = locate(m_grid, point.x, point.y);
        const double height = place ? interpolate(m_grid.z, *place) : NAN;
        if (!std::isfinite(height))
            continue;
        const Point3 base = m_scales.place(point.x, point.y, height);
        Mark mark;
        mark.failed = &point;
        mark.dot = mark.foot = projection.toScreen(base);
        mark.slot = order.countCellsBehind(std::hypot(base.x - eye.x, base.y - eye.y) - bias);
        marks.push_back(mark);
    }
}

void SurfaceScene::paintContours(QPainter& painter, const Projection& projection,
                                 const PlotStyle& style) const
{
    painter.setBrush(Qt::NoBrush);
    for (const FloorLine& line : m_contours) {
        QPolygonF points;
        for (const Point3& point : line.points)
            points << projection.toScreen(point);
        painter.setPen(QPen(blend(line.color, style.colors.axis, 0.75), 1.4));
        painter.drawPolyline(points);
    }
}

void SurfaceScene::paintMark(QPainter& painter, const Mark& mark, const PlotStyle& style, bool isPicked) const
{
    const PlotColors& colors = style.colors;
    if (mark.failed)
        return drawCross(painter, mark.dot, kPointRadius + (isPicked ? 2.0 : 0.0), colors.error,
                         colors.observedRim);
    const QColor fill = mark.isElsewhere ? paleRunColor(style) : colors.observed;
    const double radius = kPointRadius + (isPicked ? 1.0 : mark.isElsewhere ? -1.0 : 0.0);
    painter.setPen(QPen(fill, 1.2, mark.isBelow || mark.isElsewhere ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(mark.foot, mark.dot);
    if (isPicked) {
        painter.setPen(QPen(colors.text, 1.6));
        painter.setBrush(colors.background);
        painter.drawEllipse(mark.dot, radius + 3.5, radius + 3.5);
    }
    mark.isBelow ? drawHollowDot(painter, mark.dot, radius, fill, colors.observedRim)
                 : drawDot(painter, mark.dot, radius, fill, colors.observedRim);
}

void SurfaceScene::paint(QPainter& painter, const Projection& projection, const PlotStyle& style,
                         const PickedRuns& picked, bool withContours, Finish finish) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    if (withContours)
        paintContours(painter, projection, style);
    std::vector<const SurfaceMesh*> meshes{&m_surface.front()};
    if (!m_nets.empty())
        meshes = {&m_nets.front(), &m_surface.front(), &m_nets.back()};
    std::vector<SurfaceMesh::Nodes> nodes;
    nodes.reserve(meshes.size());
    for (const SurfaceMesh* mesh : meshes)
        nodes.push_back(mesh->project(projection));
    const DrawOrder order = orderFrom(projection);
    const std::vector<Mark> marks = marksFrom(projection, order);
    painter.setRenderHint(QPainter::Antialiasing, finish == Finish::Smooth);
    auto mark = marks.begin();
    for (std::size_t slot = 0; slot <= order.cells.size(); ++slot) {
        for (; mark != marks.end() && mark->slot == slot; ++mark) {
            painter.setRenderHint(QPainter::Antialiasing);
            paintMark(painter, *mark, style, picked.contains(mark->runId()));
            painter.setRenderHint(QPainter::Antialiasing, finish == Finish::Smooth);
        }
        for (std::size_t k = 0; slot < order.cells.size() && k < meshes.size(); ++k) {
            const DrawOrder::Cell& cell = order.cells[slot];
            meshes[k]->paint(painter, nodes[k], {cell.i, cell.j, cell.sides}, finish);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void SurfaceScene::paintSetting(QPainter& painter, const Projection& projection, const PlotStyle& style,
                                QPointF at) const
{
    const auto place = locate(m_grid, at.x(), at.y());
    const double height = place ? interpolate(m_grid.z, *place) : NAN;
    if (!std::isfinite(height))
        return;
    const Point3 top = m_scales.place(at.x(), at.y(), height);
    const QPointF dot = projection.toScreen(top);
    const QPointF foot = projection.toScreen({top.x, top.y, -SurfaceScales::kHeight});
    const double radius = std::clamp(projection.scale() / 14.0, 2.4, kPointRadius + 1.0);
    const QPointF side(0.7 * radius, 0.0);
    painter.setPen(QPen(style.colors.background, 3.0));
    painter.drawLine(foot, dot);
    painter.setPen(QPen(style.colors.error, 1.4));
    painter.drawLine(foot, dot);
    painter.drawLine(foot - side, foot + side);
    drawDot(painter, dot, radius, style.colors.error, style.colors.background);
}

bool SurfaceScene::isHidden(const Mark& mark, const DrawOrder& order, const SurfaceMesh::Nodes& nodes) const
{
    for (std::size_t slot = mark.slot; slot < order.cells.size(); ++slot) {
        const auto& [distance, i, j, sides] = order.cells[slot];
        if (m_surface.front().isDrawn(i, j) &&
            m_surface.front().outline(nodes, i, j).containsPoint(mark.dot, Qt::OddEvenFill))
            return true;
    }
    return false;
}

const SurfaceScene::Mark* SurfaceScene::markAt(const std::vector<Mark>& marks, const Projection& projection,
                                               const DrawOrder& order, QPointF position) const
{
    const SurfaceMesh::Nodes nodes = m_surface.front().project(projection);
    const Mark* nearest = nullptr;
    double reach = kSurfacePointReach;
    for (const Mark& mark : marks) {
        const QPointF offset = mark.dot - position;
        const double distance = std::hypot(offset.x(), offset.y());
        if (distance > reach || isHidden(mark, order, nodes))
            continue;
        reach = distance;
        nearest = &mark;
    }
    return nearest;
}

const model::ObservedPoint* SurfaceScene::pointAt(const Projection& projection, QPointF position) const
{
    const DrawOrder order = orderFrom(projection);
    const std::vector<Mark> marks = marksFrom(projection, order);
    const Mark* mark = markAt(marks, projection, order, position);
    return mark ? mark->point : nullptr;
}

const model::FailedPoint* SurfaceScene::failedAt(const Projection& projection, QPointF position) const
{
    if (m_grid.failed.empty())
        return nullptr;
    const DrawOrder order = orderFrom(projection);
    const std::vector<Mark> marks = marksFrom(projection, order);
    const Mark* mark = markAt(marks, projection, order, position);
    return mark ? mark->failed : nullptr;
}

std::optional<QPointF> SurfaceScene::surfaceAt(const Projection& projection, QPointF position) const
{
    const SurfaceMesh& mesh = m_surface.front();
    const SurfaceMesh::Nodes nodes = mesh.project(projection);
    const DrawOrder order = orderFrom(projection);
    for (std::size_t slot = order.cells.size(); slot-- > 0;) {
        const auto& [distance, i, j, sides] = order.cells[slot];
        if (!mesh.isDrawn(i, j) || !mesh.outline(nodes, i, j).containsPoint(position, Qt::OddEvenFill))
            continue;
        const auto middle = [](const std::vector<double>& v, std::size_t k, const AxisScale& scale) {
            return scale.actualAt((scale.fractionOf(v[k]) + scale.fractionOf(v[k + 1])) / 2.0);
        };
        return QPointF(middle(m_grid.x, i, m_scales.x), middle(m_grid.y, j, m_scales.y));
    }
    return {};
}

} // namespace quadric::widgets
