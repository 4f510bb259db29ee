// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/surface_scene.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quadric::widgets {

namespace {

constexpr double kDotRadius = 4.0;
constexpr double kReach = 10.0;      ///< pixels around a point that count as a click on it
constexpr double kLargestBias = 0.3; ///< box units
constexpr std::size_t kMeshLines = 10;
constexpr double kSameSurface =
    0.01; ///< of the response axis: fitted values within it belong to this surface

} // namespace

/// Cells from the farthest to the nearest, by the distance of their middle from the eye on the base. A line
/// of sight only ever leads away from the eye in x and in y, so a cell can hide another one only if it is
/// nearer in both, and then its middle is nearer too.
struct SurfaceScene::DrawOrder {
    struct Cell {
        double distance = 0.0;
        std::size_t i = 0, j = 0;
    };
    std::vector<Cell> cells;

    /// Number of cells to be drawn before something at this distance.
    std::size_t slotOf(double distance) const
    {
        const auto nearer =
            std::ranges::lower_bound(cells, distance, std::ranges::greater{}, &Cell::distance);
        return static_cast<std::size_t>(nearer - cells.begin());
    }
};

struct SurfaceScene::Mark {
    const model::ObservedPoint* point = nullptr;
    QPointF dot, foot;        ///< observed value, and the surface over or under it
    std::size_t slot = 0;     ///< cells drawn before it
    bool isBelow = false;     ///< under the surface by more than the dot shows
    bool isElsewhere = false; ///< other factors of the run are not at the values of this surface
};

SurfaceScene::SurfaceScene(const model::SurfaceGrid& grid)
    : m_grid(grid)
{
    scaleAxes();
    const auto edgesOf = [](const std::vector<double>& values, const AxisScale& scale) {
        std::vector<double> edges;
        edges.reserve(values.size());
        for (const double value : values)
            edges.push_back(2.0 * scale.fractionOf(value) - 1.0);
        return edges;
    };
    m_xEdges = edgesOf(m_grid.x, m_xScale);
    m_yEdges = edgesOf(m_grid.y, m_yScale);
    for (std::size_t i = 0; i < m_grid.x.size(); ++i)
        for (std::size_t j = 0; j < m_grid.y.size(); ++j)
            m_nodes.push_back(place(m_grid.x[i], m_grid.y[j], m_grid.z(Eigen::Index(i), Eigen::Index(j))));
}

void SurfaceScene::scaleAxes()
{
    std::vector<double> xs = m_grid.x;
    std::vector<double> ys = m_grid.y;
    std::vector<double> zs(m_grid.z.data(), m_grid.z.data() + m_grid.z.size());
    const AxisScale colored = scaleOver(zs, false);
    m_lowest = colored.low;
    m_highest = colored.high;
    for (const model::ObservedPoint& point : m_grid.observed) {
        xs.push_back(point.x);
        ys.push_back(point.y);
        zs.push_back(point.z);
    }
    m_xScale = scaleOver(xs, m_grid.xIsLog2);
    m_yScale = scaleOver(ys, m_grid.yIsLog2);
    m_zScale = scaleOver(zs, false, 0.04);
    m_axes.x = boxAxis(withUnit(m_grid.xName, m_grid.xUnit), m_xScale, 6);
    m_axes.y = boxAxis(withUnit(m_grid.yName, m_grid.yUnit), m_yScale, 6);
    m_axes.z = boxAxis({}, m_zScale, 6);
}

Point3 SurfaceScene::place(double x, double y, double z) const
{
    return {2.0 * m_xScale.fractionOf(x) - 1.0, 2.0 * m_yScale.fractionOf(y) - 1.0,
            kHeight * (2.0 * m_zScale.fractionOf(z) - 1.0)};
}

QColor SurfaceScene::colorOf(double z) const
{
    return viridis((z - m_lowest) / (m_highest - m_lowest));
}

bool SurfaceScene::isDrawn(std::size_t i, std::size_t j) const
{
    return std::isfinite(meanOf(i, j));
}

double SurfaceScene::meanOf(std::size_t i, std::size_t j) const
{
    return m_grid.z.block(Eigen::Index(i), Eigen::Index(j), 2, 2).mean();
}

bool SurfaceScene::isExtrapolated(std::size_t i, std::size_t j) const
{
    if (m_grid.isExtrapolation.rows() != m_grid.z.rows() || m_grid.isExtrapolation.cols() != m_grid.z.cols())
        return false;
    return m_grid.isExtrapolation.block(Eigen::Index(i), Eigen::Index(j), 2, 2).any();
}

SurfaceScene::Nodes SurfaceScene::projectNodes(const Projection& projection) const
{
    Nodes nodes;
    nodes.reserve(m_nodes.size());
    for (const Point3& node : m_nodes)
        nodes.push_back(projection.toScreen(node));
    return nodes;
}

SurfaceScene::DrawOrder SurfaceScene::orderFrom(const Projection& projection) const
{
    const Point3 eye = projection.eye();
    const auto middle = [](const std::vector<double>& edges, std::size_t k) {
        return (edges[k] + edges[k + 1]) / 2.0;
    };
    DrawOrder order;
    order.cells.reserve(rows() * columns());
    for (std::size_t i = 0; i < rows(); ++i)
        for (std::size_t j = 0; j < columns(); ++j)
            order.cells.push_back(
                {std::hypot(middle(m_xEdges, i) - eye.x, middle(m_yEdges, j) - eye.y), i, j});
    std::ranges::sort(order.cells, std::ranges::greater{}, &DrawOrder::Cell::distance);
    return order;
}

/// A dot on the surface must not lose its lower half to the next cells: it is drawn as if it stood nearer to
/// the eye by what it covers of the surface. Hills farther away than that still hide it.
double SurfaceScene::biasFor(const Projection& projection) const
{
    const double slope = std::max(0.15, std::sin(projection.elevation() * std::numbers::pi / 180.0));
    const double covered = std::min(kLargestBias, 1.6 * kDotRadius / projection.scale() / slope);
    return covered +
           std::hypot(2.0 / static_cast<double>(rows()), 2.0 / static_cast<double>(columns())) / 2.0;
}

/// Height of the drawn surface at a point's place, between the grid's nodes; the point's own fitted value
/// beside the grid.
double SurfaceScene::surfaceUnder(const model::ObservedPoint& point) const
{
    const Point3 at = place(point.x, point.y, point.z);
    const auto cellOf = [](const std::vector<double>& edges, double x) -> std::optional<std::size_t> {
        constexpr double kOnTheEdge = 1e-9;
        for (std::size_t k = 0; k + 1 < edges.size(); ++k)
            if (x >= edges[k] - kOnTheEdge && x <= edges[k + 1] + kOnTheEdge)
                return k;
        return {};
    };
    const auto i = cellOf(m_xEdges, at.x);
    const auto j = cellOf(m_yEdges, at.y);
    if (!i || !j)
        return point.fitted;
    const double u = (at.x - m_xEdges[*i]) / (m_xEdges[*i + 1] - m_xEdges[*i]);
    const double v = (at.y - m_yEdges[*j]) / (m_yEdges[*j + 1] - m_yEdges[*j]);
    const auto corners = m_grid.z.block<2, 2>(Eigen::Index(*i), Eigen::Index(*j));
    return std::lerp(std::lerp(corners(0, 0), corners(1, 0), u), std::lerp(corners(0, 1), corners(1, 1), u),
                     v);
}

bool SurfaceScene::isOnThisSurface(const model::ObservedPoint& point) const
{
    return !(std::abs(point.fitted - surfaceUnder(point)) > kSameSurface * (m_zScale.high - m_zScale.low));
}

std::vector<SurfaceScene::Mark> SurfaceScene::marksFrom(const Projection& projection,
                                                        const DrawOrder& order) const
{
    const Point3 eye = projection.eye();
    const double bias = biasFor(projection);
    std::vector<Mark> marks;
    for (const model::ObservedPoint& point : m_grid.observed) {
        const Point3 base = place(point.x, point.y, point.z);
        if (!std::isfinite(base.x) || !std::isfinite(base.y) || !std::isfinite(base.z))
            continue;
        Mark mark;
        mark.point = &point;
        mark.dot = projection.toScreen(base);
        const double surface = surfaceUnder(point);
        mark.foot = std::isfinite(surface) ? projection.toScreen(place(point.x, point.y, surface)) : mark.dot;
        mark.isElsewhere = !isOnThisSurface(point);
        mark.isBelow = mark.dot.y() - mark.foot.y() > kDotRadius;
        mark.slot = order.slotOf(std::hypot(base.x - eye.x, base.y - eye.y) - bias);
        marks.push_back(mark);
    }
    std::ranges::stable_sort(marks, {}, &Mark::slot);
    return marks;
}

QPolygonF SurfaceScene::cellOutline(const Nodes& nodes, std::size_t i, std::size_t j) const
{
    return QPolygonF({nodes[nodeIndex(i, j)], nodes[nodeIndex(i + 1, j)], nodes[nodeIndex(i + 1, j + 1)],
                      nodes[nodeIndex(i, j + 1)]});
}

void SurfaceScene::paintCell(QPainter& painter, const Nodes& nodes, std::size_t i, std::size_t j) const
{
    const bool isGuess = isExtrapolated(i, j);
    QColor color = colorOf(meanOf(i, j));
    if (isGuess)
        color = blend(QColor(0x9a9a9a), color, 0.55);
    const QPolygonF outline = cellOutline(nodes, i, j);
    painter.setBrush(color);
    painter.setPen(QPen(color, 0.8)); // closes the seams between antialiased neighbours
    painter.drawConvexPolygon(outline);

    // Opaque lines: transparent ones make PDF files many times larger. Both neighbours draw their common
    // edge, because the later one paints over half of it.
    painter.setPen(QPen(color.darker(135), 0.8));
    if (isGuess && (i + j) % 2 == 0)
        painter.drawLine(outline[0], outline[2]);
    const auto isMeshLine = [](std::size_t edge, std::size_t cells) {
        return edge == cells || edge % std::max<std::size_t>(1, (cells + kMeshLines - 1) / kMeshLines) == 0;
    };
    if (isMeshLine(i, rows()))
        painter.drawLine(outline[0], outline[3]);
    if (isMeshLine(i + 1, rows()))
        painter.drawLine(outline[1], outline[2]);
    if (isMeshLine(j, columns()))
        painter.drawLine(outline[0], outline[1]);
    if (isMeshLine(j + 1, columns()))
        painter.drawLine(outline[3], outline[2]);
}

void SurfaceScene::paintMark(QPainter& painter, const Mark& mark, const PlotStyle& style, bool isPicked) const
{
    const PlotColors& colors = style.colors;
    const QColor fill = mark.isElsewhere ? blend(colors.observed, QColor(Qt::white), 0.5) : colors.observed;
    const double radius = kDotRadius + (isPicked ? 1.0 : mark.isElsewhere ? -1.0 : 0.0);
    painter.setPen(QPen(fill, 1.2, mark.isBelow || mark.isElsewhere ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(mark.foot, mark.dot);
    if (isPicked) {
        painter.setPen(QPen(colors.text, 1.6));
        painter.setBrush(colors.background);
        painter.drawEllipse(mark.dot, radius + 3.5, radius + 3.5);
    }
    drawDot(painter, mark.dot, radius, fill, colors.observedRim);
    if (mark.isBelow) { // an open dot: seen through the surface
        painter.setBrush(colors.observedRim);
        painter.drawEllipse(mark.dot, radius - 1.8, radius - 1.8);
    }
}

void SurfaceScene::paint(QPainter& painter, const Projection& projection, const PlotStyle& style,
                         int pickedRun) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const Nodes nodes = projectNodes(projection);
    const DrawOrder order = orderFrom(projection);
    const std::vector<Mark> marks = marksFrom(projection, order);
    auto mark = marks.begin();
    for (std::size_t slot = 0; slot <= order.cells.size(); ++slot) {
        for (; mark != marks.end() && mark->slot == slot; ++mark)
            paintMark(painter, *mark, style, mark->point->run == pickedRun);
        if (slot < order.cells.size() && isDrawn(order.cells[slot].i, order.cells[slot].j))
            paintCell(painter, nodes, order.cells[slot].i, order.cells[slot].j);
    }
}

bool SurfaceScene::isHidden(const Mark& mark, const DrawOrder& order, const Nodes& nodes) const
{
    for (std::size_t slot = mark.slot; slot < order.cells.size(); ++slot) {
        const auto [distance, i, j] = order.cells[slot];
        if (isDrawn(i, j) && cellOutline(nodes, i, j).containsPoint(mark.dot, Qt::OddEvenFill))
            return true;
    }
    return false;
}

const model::ObservedPoint* SurfaceScene::pointAt(const Projection& projection, QPointF position) const
{
    const Nodes nodes = projectNodes(projection);
    const DrawOrder order = orderFrom(projection);
    const model::ObservedPoint* nearest = nullptr;
    double reach = kReach;
    for (const Mark& mark : marksFrom(projection, order)) {
        const QPointF offset = mark.dot - position;
        const double distance = std::hypot(offset.x(), offset.y());
        if (distance > reach || isHidden(mark, order, nodes))
            continue;
        reach = distance;
        nearest = mark.point;
    }
    return nearest;
}

std::optional<SurfaceHit> SurfaceScene::surfaceAt(const Projection& projection, QPointF position) const
{
    const Nodes nodes = projectNodes(projection);
    const DrawOrder order = orderFrom(projection);
    for (std::size_t slot = order.cells.size(); slot-- > 0;) {
        const auto [distance, i, j] = order.cells[slot];
        if (!isDrawn(i, j) || !cellOutline(nodes, i, j).containsPoint(position, Qt::OddEvenFill))
            continue;
        const auto middle = [](const std::vector<double>& v, std::size_t k, const AxisScale& scale) {
            return scale.actualAt((scale.fractionOf(v[k]) + scale.fractionOf(v[k + 1])) / 2.0);
        };
        return SurfaceHit{middle(m_grid.x, i, m_xScale), middle(m_grid.y, j, m_yScale), meanOf(i, j),
                          isExtrapolated(i, j)};
    }
    return {};
}

} // namespace quadric::widgets
