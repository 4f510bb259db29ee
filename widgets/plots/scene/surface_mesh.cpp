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

SurfaceMesh::SurfaceMesh(const model::SurfaceGrid& grid, const Eigen::MatrixXd& heights,
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

SurfaceMesh::Cell SurfaceMesh::makeCell(const model::SurfaceGrid& grid, const Eigen::MatrixXd& heights,
                                        const SurfaceScales& scales, std::size_t i, std::size_t j) const
{
    const double mean = heights.block(Eigen::Index(i), Eigen::Index(j), 2, 2).mean();
    Cell made;
    made.isDrawn = std::isfinite(mean);
    made.isExtrapolated = isExtrapolated(grid, Eigen::Index(i), Eigen::Index(j));
    made.fill = scales.colorOf(mean);
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
    const bool isHatched = m_kind == Kind::Surface && painted.isExtrapolated && (i + j) % 2 == 0;
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
