// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/surface_mesh.h"

#include "widgets/base/theme.h"
#include "widgets/plots/scene/grid_lookup.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr std::size_t kMeshLines = 10;

bool isMeshLine(std::size_t edge, std::size_t cells)
{
    return edge == cells || edge % std::max<std::size_t>(1, (cells + kMeshLines - 1) / kMeshLines) == 0;
}

} // namespace

Point3 SurfaceScales::place(double actualX, double actualY, double response) const
{
    return {2.0 * x.fractionOf(actualX) - 1.0, 2.0 * y.fractionOf(actualY) - 1.0,
            kHeight * (2.0 * z.fractionOf(response) - 1.0)};
}

QColor SurfaceScales::colorOf(double response) const
{
    return viridis(colors.fractionOf(response));
}

QColor extrapolatedColor(const QColor& fill)
{
    return blend(QColor(0x9a9a9a), fill, 0.55);
}

SurfaceMesh::SurfaceMesh(const model::MarkedSurface& grid, const Eigen::MatrixXd& heights,
                         const SurfaceScales& scales, Kind kind)
    : m_kind(kind)
    , m_rows(grid.x.size() - 1)
    , m_columns(grid.y.size() - 1)
{
    for (std::size_t i = 0; i <= m_rows; ++i)
        for (std::size_t j = 0; j <= m_columns; ++j)
            m_nodes.push_back(scales.place(grid.x[i], grid.y[j], heights(Eigen::Index(i), Eigen::Index(j))));
    for (std::size_t i = 0; i < m_rows; ++i)
        for (std::size_t j = 0; j < m_columns; ++j)
            m_cells.push_back(makeCell(grid, heights, scales, i, j));
}

/// The cell cut along the straight line between the places where its edges cross the boundary (Sutherland
/// and Hodgman 1974).
SurfaceMesh::CutPart SurfaceMesh::partBelow(const study::FeasibleGrid& feasible, Eigen::Index i,
                                            Eigen::Index j)
{
    CutPart part;
    if (feasible.isEmpty())
        return part;
    const std::array corners{QPointF(0, 0), QPointF(1, 0), QPointF(1, 1), QPointF(0, 1)};
    std::array<double, 4> above{};
    for (std::size_t k = 0; k < corners.size(); ++k)
        above[k] = feasible.value(i + Eigen::Index(corners[k].x()), j + Eigen::Index(corners[k].y())) -
                   feasible.level;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const std::size_t next = (k + 1) % corners.size();
        if (above[k] < 0.0)
            part.outline.push_back(corners[k]);
        if ((above[k] < 0.0) == (above[next] < 0.0))
            continue;
        const double share = above[k] / (above[k] - above[next]);
        part.outline.push_back(corners[k] + share * (corners[next] - corners[k]));
        part.boundary << part.outline.back();
    }
    return part;
}

SurfaceMesh::Cell SurfaceMesh::makeCell(const model::MarkedSurface& grid, const Eigen::MatrixXd& heights,
                                        const SurfaceScales& scales, std::size_t i, std::size_t j) const
{
    const double mean = heights.block(Eigen::Index(i), Eigen::Index(j), 2, 2).mean();
    Cell made;
    made.isDrawn = std::isfinite(mean);
    made.isExtrapolated = isExtrapolated(grid, Eigen::Index(i), Eigen::Index(j));
    made.fill = scales.colorOf(mean);
    if (m_kind == Kind::Surface) {
        made.barred = partBelow(grid.feasible, Eigen::Index(i), Eigen::Index(j));
        made.failing = partBelow(grid.running, Eigen::Index(i), Eigen::Index(j));
    }
    if (made.isExtrapolated)
        made.fill = extrapolatedColor(made.fill);
    made.line = m_kind == Kind::Net ? blend(QColor(0x80868c), made.fill, 0.6) : made.fill.darker(135);
    const std::array isLine{isMeshLine(j, m_columns), isMeshLine(i + 1, m_rows), isMeshLine(j + 1, m_columns),
                            isMeshLine(i, m_rows)};
    for (std::size_t edge = 0; edge < isLine.size(); ++edge)
        made.edges |= isLine[edge] ? 1U << edge : 0U;
    return made;
}

SurfaceMesh::Nodes SurfaceMesh::project(const Projection& projection) const
{
    Nodes nodes;
    nodes.reserve(m_nodes.size());
    for (const Point3& point : m_nodes)
        nodes.push_back(projection.toScreen(point));
    return nodes;
}

QPolygonF SurfaceMesh::outline(const Nodes& nodes, std::size_t i, std::size_t j) const
{
    return QPolygonF(
        {nodes[node(i, j)], nodes[node(i + 1, j)], nodes[node(i + 1, j + 1)], nodes[node(i, j + 1)]});
}

namespace {

/// A place of a cell between its corners on the screen.
QPointF placeIn(const std::array<QPointF, 4>& corners, QPointF at)
{
    const QPointF low = corners[0] + at.x() * (corners[1] - corners[0]);
    const QPointF high = corners[3] + at.x() * (corners[2] - corners[3]);
    return low + at.y() * (high - low);
}

} // namespace

/// Paler, with lines across both diagonals: what is predicted there is seen through them.
void SurfaceMesh::paintFailing(QPainter& painter, const Cell& cell, const std::array<QPointF, 4>& corners,
                               bool isHatched, bool isSmooth)
{
    const CutPart& part = cell.failing;
    if (part.outline.empty())
        return;
    QPolygonF outline;
    for (const QPointF& at : part.outline)
        outline << placeIn(corners, at);
    const QColor pale = blend(cell.fill, QColor(0xf1f2f3), 0.45);
    painter.setBrush(pale);
    painter.setPen(isSmooth ? QPen(pale, 0.8) : QPen(Qt::NoPen));
    painter.drawConvexPolygon(outline);
    painter.setPen(QPen(QColor(0x5a6067), isSmooth ? 0.9 : 1.0));
    if (isHatched && part.boundary.isEmpty()) {
        painter.drawLine(corners[1], corners[3]);
        painter.drawLine(corners[0], corners[2]);
    }
    painter.setPen(QPen(QColor(0xc8321f), 2.2));
    for (qsizetype k = 0; k + 1 < part.boundary.size(); k += 2)
        painter.drawLine(placeIn(corners, part.boundary[k]), placeIn(corners, part.boundary[k + 1]));
}

/// In gray, as light and dark as the surface is, with lines across the other diagonal than extrapolation has.
void SurfaceMesh::paintBarred(QPainter& painter, const Cell& cell, const std::array<QPointF, 4>& corners,
                              bool isHatched, bool isSmooth)
{
    if (cell.barred.outline.empty())
        return;
    QPolygonF outline;
    for (const QPointF& at : cell.barred.outline)
        outline << placeIn(corners, at);
    const int light = qGray(cell.fill.rgb());
    const QColor gray = blend(QColor(light, light, light), QColor(0xb8bcc0), 0.35);
    painter.setBrush(gray);
    painter.setPen(isSmooth ? QPen(gray, 0.8) : QPen(Qt::NoPen));
    painter.drawConvexPolygon(outline);
    painter.setPen(QPen(gray.darker(150), isSmooth ? 0.9 : 1.0));
    if (isHatched && cell.barred.outline.size() == corners.size() && cell.barred.boundary.isEmpty())
        painter.drawLine(corners[1], corners[3]);
    painter.setPen(QPen(QColor(0x2b2f33), 1.4));
    for (qsizetype k = 0; k + 1 < cell.barred.boundary.size(); k += 2)
        painter.drawLine(placeIn(corners, cell.barred.boundary[k]),
                         placeIn(corners, cell.barred.boundary[k + 1]));
}

void SurfaceMesh::paint(QPainter& painter, const Nodes& nodes, const Turn& turn, Finish finish) const
{
    const auto [i, j, edges] = turn;
    const Cell& painted = cell(i, j);
    if (!painted.isDrawn)
        return;
    const std::array corners{nodes[node(i, j)], nodes[node(i + 1, j)], nodes[node(i + 1, j + 1)],
                             nodes[node(i, j + 1)]};
    // Without smooth edges neighbors meet without a seam; with them an outline in the cell's own color
    // closes it.
    const bool isSmooth = finish == Finish::Smooth;
    if (m_kind == Kind::Surface) {
        painter.setBrush(painted.fill);
        painter.setPen(isSmooth ? QPen(painted.fill, 0.8) : QPen(Qt::NoPen));
        painter.drawConvexPolygon(corners.data(), int(corners.size()));
    }
    const bool isEven = (i + j) % 2 == 0;
    paintFailing(painter, painted, corners, isEven, isSmooth);
    paintBarred(painter, painted, corners, isEven, isSmooth);
    const bool isHatched = m_kind == Kind::Surface && painted.isExtrapolated && isEven;
    if ((painted.edges & edges) == 0 && !isHatched)
        return;
    // Opaque lines: transparent ones make PDF files many times larger.
    painter.setPen(QPen(painted.line, isSmooth ? 0.8 : 1.0));
    if (isHatched)
        painter.drawLine(corners[0], corners[2]);
    for (std::size_t edge = 0; edge < corners.size(); ++edge)
        if (painted.edges & edges & (1U << edge))
            painter.drawLine(corners[edge], corners[(edge + 1) % corners.size()]);
}

} // namespace quadric::widgets
