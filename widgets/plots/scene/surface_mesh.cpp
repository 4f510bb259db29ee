// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/surface_mesh.h"

#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr std::size_t kMeshLines = 10;

bool isMeshLine(std::size_t edge, std::size_t cells)
{
    return edge == cells || edge % std::max<std::size_t>(1, (cells + kMeshLines - 1) / kMeshLines) == 0;
}

/// A place of a cell between its corners on the screen.
QPointF interpolateCorners(const std::array<QPointF, 4>& corners, QPointF at)
{
    const QPointF low = corners[0] + at.x() * (corners[1] - corners[0]);
    const QPointF high = corners[3] + at.x() * (corners[2] - corners[3]);
    return low + at.y() * (high - low);
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

/// Paler, with lines across both diagonals: what is predicted there is seen through them.
void SurfaceMesh::paintFailing(QPainter& painter, const Cell& cell, const std::array<QPointF, 4>& corners,
                               bool isHatched, bool isSmooth)
{
    const CutPart& part = cell.failing;
    if (part.outline.empty())
        return;
    QPolygonF outline;
    for (const QPointF& at : part.outline)
        outline << interpolateCorners(corners, at);
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
        painter.drawLine(interpolateCorners(corners, part.boundary[k]),
                         interpolateCorners(corners, part.boundary[k + 1]));
}

/// In gray, as light and dark as the surface is, with lines across the other diagonal than extrapolation has.
void SurfaceMesh::paintBarred(QPainter& painter, const Cell& cell, const std::array<QPointF, 4>& corners,
                              bool isHatched, bool isSmooth)
{
    if (cell.barred.outline.empty())
        return;
    QPolygonF outline;
    for (const QPointF& at : cell.barred.outline)
        outline << interpolateCorners(corners, at);
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
        painter.drawLine(interpolateCorners(corners, cell.barred.boundary[k]),
                         interpolateCorners(corners, cell.barred.boundary[k + 1]));
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

namespace {

constexpr double kOnTheEdge = 1e-9; ///< of a cell
constexpr double kSameSurface = 0.01;

struct Fraction {
    Eigen::Index cell = 0;
    double part = 0.0;
};

std::optional<Fraction> locateCell(const std::vector<double>& nodes, bool isLog2, double value)
{
    const auto scaled = [isLog2](double actual) { return isLog2 ? std::log2(actual) : actual; };
    for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
        const double from = scaled(nodes[k]);
        const double part = (scaled(value) - from) / (scaled(nodes[k + 1]) - from);
        if (part >= -kOnTheEdge && part <= 1.0 + kOnTheEdge)
            return Fraction{static_cast<Eigen::Index>(k), std::clamp(part, 0.0, 1.0)};
    }
    return {};
}

/// Nodes that are spread evenly over those of an axis, by their place between them.
struct Spread {
    std::vector<double> values;
    std::vector<Fraction> places;
};

Spread sampleNodes(const std::vector<double>& nodes, bool isLog2, std::size_t most)
{
    const std::size_t count = std::min(most, nodes.size());
    Spread spread;
    for (std::size_t k = 0; k < count; ++k) {
        const double index = static_cast<double>(k * (nodes.size() - 1)) / static_cast<double>(count - 1);
        const auto cell = std::min(static_cast<std::size_t>(index), nodes.size() - 2);
        const double part = index - static_cast<double>(cell);
        const AxisScale between{nodes[cell], nodes[cell + 1], isLog2};
        spread.values.push_back(between.actualAt(part));
        spread.places.push_back({static_cast<Eigen::Index>(cell), part});
    }
    return spread;
}

Eigen::MatrixXd thinnedValues(const Eigen::MatrixXd& values, const Spread& x, const Spread& y)
{
    if (values.size() == 0)
        return {};
    Eigen::MatrixXd thin(std::ssize(x.places), std::ssize(y.places));
    for (Eigen::Index i = 0; i < thin.rows(); ++i)
        for (Eigen::Index j = 0; j < thin.cols(); ++j) {
            const Fraction &u = x.places[std::size_t(i)], &v = y.places[std::size_t(j)];
            thin(i, j) = interpolate(values, {u.cell, v.cell, u.part, v.part});
        }
    return thin;
}

QString axesText(const model::SurfaceGrid& grid, double x, double y)
{
    return namedValue(nameText(grid.xName), x, grid.xUnit) + QLatin1Char('\n') +
           namedValue(nameText(grid.yName), y, grid.yUnit) + QLatin1Char('\n');
}

/// One axis of a grid and the values that runs have on it.
struct GridAxis {
    const std::string& name;
    const std::string& unit;
    AxisScale scale;
    std::vector<double> runs;

    /// A place on the axis in the digits of a setting: those that a hundredth of the axis tells apart, and
    /// whole numbers where all runs have some.
    QString textAt(double value) const
    {
        constexpr double kSteps = 100.0;
        double step = std::abs(scale.actualAt(scale.fractionOf(value) + 1.0 / kSteps) - value);
        const auto isWhole = [](double run) { return run == std::round(run); };
        if (!runs.empty() && std::ranges::all_of(runs, isWhole)) {
            step = std::max(step, 1.0);
            value = std::round(value);
        }
        const QString end = unit.empty() ? QString() : QLatin1Char(' ') + nameText(unit);
        return nameText(name) + QLatin1Char(' ') + formatNumber(value, step) + end + QLatin1Char('\n');
    }
};

QString placeText(const model::SurfaceGrid& grid, double x, double y)
{
    GridAxis across{grid.xName, grid.xUnit, {grid.x.front(), grid.x.back(), grid.xIsLog2}, {}};
    GridAxis up{grid.yName, grid.yUnit, {grid.y.front(), grid.y.back(), grid.yIsLog2}, {}};
    for (const model::ObservedPoint& point : grid.observed) {
        across.runs.push_back(point.x);
        up.runs.push_back(point.y);
    }
    return across.textAt(x) + up.textAt(y);
}

QString intervalText(const model::SurfaceGrid& grid, const GridPosition& at)
{
    const double mean = interpolate(grid.z, at);
    const bool hasInterval = grid.low.rows() == grid.z.rows() && grid.high.rows() == grid.z.rows();
    const double low = hasInterval ? interpolate(grid.low, at) : NAN;
    const double high = hasInterval ? interpolate(grid.high, at) : NAN;
    if (!std::isfinite(low) || !std::isfinite(high))
        return namedValue(nameText(grid.response), mean, grid.responseUnit);
    const QString unit =
        grid.responseUnit.empty() ? QString() : QLatin1Char(' ') + nameText(grid.responseUnit);
    return nameText(grid.response) + QLatin1Char(' ') + formatInterval(mean, low, high) + unit +
           tr(" (95 % interval of the mean)");
}

} // namespace

std::optional<GridPosition> locate(const model::SurfaceGrid& grid, double x, double y)
{
    const auto i = locateCell(grid.x, grid.xIsLog2, x);
    const auto j = locateCell(grid.y, grid.yIsLog2, y);
    if (!i || !j)
        return {};
    return GridPosition{i->cell, j->cell, i->part, j->part};
}

double interpolate(const Eigen::MatrixXd& values, const GridPosition& at)
{
    const auto corners = values.block<2, 2>(at.i, at.j);
    return std::lerp(std::lerp(corners(0, 0), corners(1, 0), at.u),
                     std::lerp(corners(0, 1), corners(1, 1), at.u), at.v);
}

bool isExtrapolated(const model::SurfaceGrid& grid, Eigen::Index i, Eigen::Index j)
{
    if (grid.isExtrapolation.rows() != grid.z.rows() || grid.isExtrapolation.cols() != grid.z.cols())
        return false;
    return grid.isExtrapolation.block(i, j, 2, 2).any();
}

double heightUnder(const model::SurfaceGrid& grid, const model::ObservedPoint& point)
{
    const auto at = locate(grid, point.x, point.y);
    return at ? interpolate(grid.z, *at) : point.fitted;
}

bool isOnGrid(const model::SurfaceGrid& grid, const model::ObservedPoint& point, double range)
{
    return !(std::abs(point.fitted - heightUnder(grid, point)) > kSameSurface * range);
}

model::MarkedSurface thinned(const model::MarkedSurface& grid, std::size_t nodes)
{
    const Spread x = sampleNodes(grid.x, grid.xIsLog2, nodes), y = sampleNodes(grid.y, grid.yIsLog2, nodes);
    model::MarkedSurface thin = grid;
    thin.x = x.values;
    thin.y = y.values;
    thin.z = thinnedValues(grid.z, x, y);
    thin.se = {};
    thin.low = thinnedValues(grid.low, x, y);
    thin.high = thinnedValues(grid.high, x, y);
    thin.feasible.value = thinnedValues(grid.feasible.value, x, y);
    thin.running.value = thinnedValues(grid.running.value, x, y);
    // A node of the new grid stands for the nearest one of the old.
    thin.isExtrapolation.resize(std::ssize(x.places), std::ssize(y.places));
    for (Eigen::Index i = 0; i < thin.isExtrapolation.rows(); ++i)
        for (Eigen::Index j = 0; j < thin.isExtrapolation.cols(); ++j) {
            const Fraction &u = x.places[std::size_t(i)], &v = y.places[std::size_t(j)];
            thin.isExtrapolation(i, j) =
                grid.isExtrapolation.size() > 0 &&
                grid.isExtrapolation(u.cell + std::lround(u.part), v.cell + std::lround(v.part));
        }
    return thin;
}

bool isUsable(const model::SurfaceGrid& grid)
{
    const auto nx = static_cast<Eigen::Index>(grid.x.size());
    const auto ny = static_cast<Eigen::Index>(grid.y.size());
    return nx >= 2 && ny >= 2 && grid.z.rows() == nx && grid.z.cols() == ny &&
           grid.z.array().isFinite().any();
}

QString describe(const model::MarkedSurface& grid, double x, double y)
{
    const auto at = locate(grid, x, y);
    if (!at)
        return {};
    QStringList lines{placeText(grid, x, y) + intervalText(grid, *at)};
    if (isExtrapolated(grid, at->i, at->j))
        lines << tr("extrapolated: outside the region covered by runs");
    if (!grid.running.isEmpty())
        lines << runsWithText(interpolate(grid.running.value, *at));
    if (grid.feasible.reason)
        lines << infeasibleText(grid.feasible.reason(x, y));
    lines.removeAll({});
    return lines.join(QLatin1Char('\n'));
}

QString describe(const model::SurfaceGrid& grid, const model::ObservedPoint& point)
{
    return tr("Run %1, observed\n").arg(point.run) + axesText(grid, point.x, point.y) +
           namedValue(nameText(grid.response), point.z, grid.responseUnit) + QLatin1Char('\n') +
           namedValue(tr("residual"), point.z - point.fitted, grid.responseUnit);
}

QString describe(const model::SurfaceGrid& grid, const model::FailedPoint& point)
{
    return failedText(point) + QLatin1Char('\n') + axesText(grid, point.x, point.y).trimmed();
}

TextTable gridTable(const model::SurfaceGrid& grid)
{
    TextTable table;
    if (!isUsable(grid))
        return table;
    table.caption =
        tr("%1 over %2 and %3").arg(nameText(grid.response), nameText(grid.xName), nameText(grid.yName));
    table.columns = curveColumns();
    table.columns.front().title = nameWithUnit(grid.yName, grid.yUnit);
    table.columns.insert(table.columns.begin(), {nameWithUnit(grid.xName, grid.xUnit), {}, true});
    const bool hasInterval = grid.low.rows() == grid.z.rows() && grid.high.rows() == grid.z.rows();
    for (Eigen::Index i = 0; i < grid.z.rows(); ++i)
        for (Eigen::Index j = 0; j < grid.z.cols(); ++j) {
            QStringList row{formatNumber(grid.x[std::size_t(i)]), formatNumber(grid.y[std::size_t(j)]),
                            formatNumber(grid.z(i, j))};
            row << (hasInterval ? formatNumber(grid.low(i, j)) : QString());
            row << (hasInterval ? formatNumber(grid.high(i, j)) : QString());
            table.rows.push_back(row);
        }
    return table;
}

} // namespace quadric::widgets
