// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/iso_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <map>

namespace quadric::widgets {

namespace {

using Eigen::Index;

/// A corner of an outline: a node of the grid, or where the level crosses the edge that begins at it.
struct Corner {
    enum class Place { Node, AlongX, AlongY };
    Index i = 0, j = 0;
    Place place = Place::Node;
    auto operator<=>(const Corner&) const = default; // NOLINT(modernize-use-nullptr): 0 is a number
};

/// The sides of all cells on which the region ends: where the level crosses a cell, and where no cell
/// follows.
class Outlines {
public:
    Outlines(const Eigen::MatrixXd& z, double level)
        : m_z(z)
        , m_level(level)
    {
        for (Index i = 0; i + 1 < z.rows(); ++i)
            for (Index j = 0; j + 1 < z.cols(); ++j)
                if (hasCornerAbove(i, j) && isCell(i, j))
                    addCell(i, j);
    }

    /// The outlines, each as its corners; the region is at the left of the way along it.
    std::vector<std::vector<Corner>> traceAllOutlines()
    {
        std::vector<std::vector<Corner>> found;
        while (!m_next.empty())
            found.push_back(trace(m_next.begin()->first));
        return found;
    }

    Eigen::Vector2d pointAt(const Corner& corner) const
    {
        Eigen::Vector2d node(static_cast<double>(corner.i), static_cast<double>(corner.j));
        if (corner.place == Corner::Place::Node)
            return node;
        const bool isAlongX = corner.place == Corner::Place::AlongX;
        const double from = m_z(corner.i, corner.j);
        const double to = isAlongX ? m_z(corner.i + 1, corner.j) : m_z(corner.i, corner.j + 1);
        const double share = (m_level - from) / (to - from);
        return node + share * (isAlongX ? Eigen::Vector2d(1.0, 0.0) : Eigen::Vector2d(0.0, 1.0));
    }

private:
    bool isCell(Index i, Index j) const
    {
        return i >= 0 && j >= 0 && i + 1 < m_z.rows() && j + 1 < m_z.cols() &&
               std::isfinite(m_z(i, j) + m_z(i + 1, j) + m_z(i, j + 1) + m_z(i + 1, j + 1));
    }

    bool isAbove(Index i, Index j) const { return m_z(i, j) >= m_level; }

    /// Most cells have none, and they end no region.
    bool hasCornerAbove(Index i, Index j) const
    {
        return isAbove(i, j) || isAbove(i + 1, j) || isAbove(i, j + 1) || isAbove(i + 1, j + 1);
    }

    /// Counter-clockwise from node (i, j); edge k leads from node k to the next one, and neighbor k lies
    /// behind it.
    void addCell(Index i, Index j)
    {
        using enum Corner::Place;
        const std::array<Corner, 4> nodes{{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
        const std::array<Corner, 4> edges{
            {{i, j, AlongX}, {i + 1, j, AlongY}, {i, j + 1, AlongX}, {i, j, AlongY}}};
        const std::array neighbors{isCell(i, j - 1), isCell(i + 1, j), isCell(i, j + 1), isCell(i - 1, j)};
        std::array<bool, 4> isIn{};
        for (std::size_t k = 0; k < 4; ++k)
            isIn[k] = isAbove(nodes[k].i, nodes[k].j);
        // Only a saddle leaves a cell twice; with a low middle it comes back beside the corner it has left.
        const bool isParted = isIn[0] == isIn[2] && isIn[1] == isIn[3] && isIn[0] != isIn[1] &&
                              m_z.block(i, j, 2, 2).mean() < m_level;
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t next = (k + 1) % 4;
            if (!neighbors[k] && (isIn[k] || isIn[next]))
                m_next.emplace(isIn[k] ? nodes[k] : edges[k], isIn[next] ? nodes[next] : edges[k]);
            if (!isIn[k] || isIn[next])
                continue;
            std::size_t back = isParted ? (k + 3) % 4 : next;
            while (!isIn[(back + 1) % 4])
                back = (back + 1) % 4;
            m_next.emplace(edges[k], edges[back]);
        }
    }

    std::vector<Corner> trace(Corner at)
    {
        std::vector<Corner> outline;
        for (auto side = m_next.find(at); side != m_next.end(); side = m_next.find(at)) {
            outline.push_back(at);
            at = side->second;
            m_next.erase(side);
        }
        return outline;
    }

    const Eigen::MatrixXd& m_z;
    double m_level;
    std::multimap<Corner, Corner> m_next; ///< the side that leaves each corner
};

/// Of an outline what is no border of the grid: from one crossing to the next within a cell. `add` is called
/// with each unbroken stretch.
void splitAtBorders(const std::vector<Corner>& outline, const auto& add)
{
    const std::size_t count = outline.size();
    const auto isCrossing = [&](std::size_t k) { return outline[k % count].place != Corner::Place::Node; };
    std::size_t start = 0; // behind a border, if there is any
    while (start < count && isCrossing(start))
        ++start;
    if (start == count) {
        std::vector<Corner> closed = outline;
        closed.push_back(outline.front());
        return add(closed);
    }
    std::vector<Corner> stretch;
    for (std::size_t k = start; k <= start + count; ++k) {
        if (isCrossing(k)) {
            stretch.push_back(outline[k % count]);
            continue;
        }
        if (stretch.size() > 1)
            add(stretch);
        stretch.clear();
    }
}

constexpr int kMostLines = 9;
constexpr int kFewestBands = 32;

/// The levels of the lines and those between them, the first at the lowest value or below it.
std::vector<double> bandLevels(const AxisScale& scale)
{
    const std::vector<Tick> lines = contourTicks(scale);
    const double range = scale.high - scale.low;
    const double apart = lines.size() > 1 ? lines[1].value - lines[0].value : range;
    const double step = apart / std::ceil(kFewestBands * apart / range);
    const double origin = lines.empty() ? scale.low : lines.front().value;
    std::vector<double> levels;
    for (double k = std::floor((scale.low - origin) / step); origin + k * step < scale.high; ++k)
        levels.push_back(origin + k * step);
    return levels;
}

} // namespace

std::vector<IsoLine> isoLines(const Eigen::MatrixXd& z, const std::vector<double>& levels)
{
    std::vector<IsoLine> all;
    for (const double level : levels) {
        Outlines outlines(z, level);
        for (const std::vector<Corner>& outline : outlines.traceAllOutlines())
            splitAtBorders(outline, [&](const std::vector<Corner>& stretch) {
                IsoLine& line = all.emplace_back(IsoLine{level, {}});
                for (const Corner& corner : stretch)
                    line.points.push_back(outlines.pointAt(corner));
            });
    }
    return all;
}

std::vector<std::vector<Eigen::Vector2d>> isoRegion(const Eigen::MatrixXd& z, double level)
{
    std::vector<std::vector<Eigen::Vector2d>> region;
    Outlines outlines(z, level);
    for (const std::vector<Corner>& outline : outlines.traceAllOutlines())
        for (auto& points = region.emplace_back(); const Corner& corner : outline)
            points.push_back(outlines.pointAt(corner));
    return region;
}

std::vector<Tick> contourTicks(const AxisScale& scale)
{
    return chooseTicks(scale, kMostLines);
}

std::vector<ColorBand> colorBands(const Eigen::MatrixXd& z, const AxisScale& scale)
{
    const std::vector<double> levels = bandLevels(scale);
    std::vector<ColorBand> bands;
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const double next = k + 1 < levels.size() ? levels[k + 1] : scale.high;
        const double middle = (std::max(levels[k], scale.low) + next) / 2.0;
        bands.push_back({levels[k], scale.fractionOf(middle), isoRegion(z, levels[k])});
    }
    return bands;
}

QPolygonF GridAxes::polygonOf(const std::vector<Eigen::Vector2d>& indices) const
{
    QPolygonF polygon;
    for (const Eigen::Vector2d& index : indices)
        polygon << QPointF(x.actualAt(index.x() / static_cast<double>(rows - 1)),
                           y.actualAt(index.y() / static_cast<double>(columns - 1)));
    return polygon;
}

std::vector<QPolygonF>
GridAxes::cellsWhere(const std::function<bool(Eigen::Index i, Eigen::Index j)>& isMeant) const
{
    std::vector<QPolygonF> found;
    for (Eigen::Index j = 0; j + 1 < columns; ++j)
        for (Eigen::Index i = 0; i + 1 < rows; ++i) {
            const auto first = static_cast<double>(i), low = static_cast<double>(j);
            while (i + 1 < rows && isMeant(i, j))
                ++i;
            if (const auto last = static_cast<double>(i); last > first)
                found.push_back(
                    polygonOf({{first, low}, {last, low}, {last, low + 1.0}, {first, low + 1.0}}));
        }
    return found;
}

} // namespace quadric::widgets
