// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/surface_scene.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::widgets {

namespace {

constexpr double kDotRadius = 4.0;
constexpr double kReach = 10.0;      ///< pixels around a point that count as a click on it
constexpr double kLargestBias = 0.3; ///< box units
constexpr std::size_t kMeshLines = 10;

/// Cells along one axis from the farthest to the nearest as seen from `eye`, with the distances of their two
/// ends. Cells at either side of the eye never hide each other, so distance alone decides.
struct AxisOrder {
    std::vector<std::size_t> cells;
    std::vector<double> farEnds, nearEnds; ///< in the order of `cells`
};

AxisOrder farthestFirst(const std::vector<double>& edges, double eye)
{
    AxisOrder order;
    order.cells.resize(edges.size() - 1);
    std::iota(order.cells.begin(), order.cells.end(), std::size_t{0});
    const auto distance = [&](std::size_t cell) {
        return std::abs((edges[cell] + edges[cell + 1]) / 2.0 - eye);
    };
    std::ranges::stable_sort(order.cells,
                             [&](std::size_t a, std::size_t b) { return distance(a) > distance(b); });
    for (const std::size_t cell : order.cells) {
        const double half = std::abs(edges[cell + 1] - edges[cell]) / 2.0;
        order.farEnds.push_back(distance(cell) + half);
        order.nearEnds.push_back(std::max(0.0, distance(cell) - half));
    }
    return order;
}

/// How many cells of this axis lie behind a coordinate or contain it.
std::size_t countBehind(const AxisOrder& order, double distance)
{
    const auto it = std::ranges::find_if(order.farEnds, [&](double end) { return end < distance; });
    return static_cast<std::size_t>(it - order.farEnds.begin());
}

} // namespace

struct SurfaceScene::DrawOrder {
    AxisOrder rows, columns;
    Point3 eye;

    std::size_t size() const { return rows.cells.size() * columns.cells.size(); }
    std::size_t rowAt(std::size_t slot) const { return rows.cells[slot / columns.cells.size()]; }
    std::size_t columnAt(std::size_t slot) const { return columns.cells[slot % columns.cells.size()]; }

    /// Number of cells to be drawn before a point at this place of the base.
    std::size_t slotOf(double x, double y) const
    {
        const double dx = std::abs(x - eye.x);
        const std::size_t behind = countBehind(rows, dx);
        if (behind == 0)
            return 0;
        if (dx < rows.nearEnds[behind - 1])
            return behind * columns.cells.size();
        return (behind - 1) * columns.cells.size() + countBehind(columns, std::abs(y - eye.y));
    }
};

struct SurfaceScene::Mark {
    const model::ObservedPoint* point = nullptr;
    QPointF dot, foot;    ///< observed value, and the surface over or under it
    std::size_t slot = 0; ///< cells drawn before it
    bool isBelow = false; ///< under the surface by more than the dot shows
};

SurfaceScene::SurfaceScene(const model::SurfaceGrid& grid)
    : m_grid(grid)
{
    scaleAxes();
    const auto edgesOf = [](const std::vector<double>& values, const AxisScale& scale) {
        std::vector<double> edges;
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
    return {farthestFirst(m_xEdges, eye.x), farthestFirst(m_yEdges, eye.y), eye};
}

/// A dot on the surface must not lose its lower half to the next cells: it is drawn as if it stood nearer to
/// the eye by what it covers of the surface. Hills farther away than that still hide it.
std::vector<SurfaceScene::Mark> SurfaceScene::marksFrom(const Projection& projection,
                                                        const DrawOrder& order) const
{
    const double slope = std::max(0.15, std::sin(projection.elevation() * 3.14159265358979 / 180.0));
    const double bias = std::min(kLargestBias, 1.6 * kDotRadius / projection.scale() / slope);
    const double eyeDistance = std::max(1e-9, std::hypot(order.eye.x, order.eye.y));
    std::vector<Mark> marks;
    for (const model::ObservedPoint& point : m_grid.observed) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z))
            continue;
        const Point3 base = place(point.x, point.y, point.z);
        Mark mark;
        mark.point = &point;
        mark.dot = projection.toScreen(base);
        mark.foot = std::isfinite(point.fitted) ? projection.toScreen(place(point.x, point.y, point.fitted))
                                                : mark.dot;
        mark.isBelow = mark.dot.y() - mark.foot.y() > kDotRadius;
        mark.slot = order.slotOf(base.x + bias * order.eye.x / eyeDistance,
                                 base.y + bias * order.eye.y / eyeDistance);
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
    painter.setPen(QPen(colors.observed, 1.2, mark.isBelow ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(mark.foot, mark.dot);
    if (isPicked) {
        painter.setPen(QPen(colors.text, 1.6));
        painter.setBrush(colors.background);
        painter.drawEllipse(mark.dot, kDotRadius + 4.5, kDotRadius + 4.5);
    }
    drawDot(painter, mark.dot, isPicked ? kDotRadius + 1.0 : kDotRadius, colors.observed, colors.observedRim);
    if (mark.isBelow) { // an open dot: seen through the surface
        painter.setBrush(colors.observedRim);
        painter.drawEllipse(mark.dot, kDotRadius - 1.8, kDotRadius - 1.8);
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
    for (std::size_t slot = 0; slot <= order.size(); ++slot) {
        for (; mark != marks.end() && mark->slot == slot; ++mark)
            paintMark(painter, *mark, style, mark->point->run == pickedRun);
        if (slot < order.size() && isDrawn(order.rowAt(slot), order.columnAt(slot)))
            paintCell(painter, nodes, order.rowAt(slot), order.columnAt(slot));
    }
}

bool SurfaceScene::isHidden(const Mark& mark, const DrawOrder& order, const Nodes& nodes) const
{
    for (std::size_t slot = mark.slot; slot < order.size(); ++slot) {
        const std::size_t i = order.rowAt(slot);
        const std::size_t j = order.columnAt(slot);
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
    for (std::size_t slot = order.size(); slot-- > 0;) {
        const std::size_t i = order.rowAt(slot);
        const std::size_t j = order.columnAt(slot);
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
