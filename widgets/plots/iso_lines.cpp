// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/iso_lines.h"

#include <algorithm>
#include <array>
#include <compare>
#include <map>

namespace quadric::widgets {

namespace {

using Eigen::Index;

/// The edge of the grid that starts at a node and goes along x or along y.
struct Edge {
    Index i = 0, j = 0;
    bool isAlongX = true;
    auto operator<=>(const Edge&) const = default; // NOLINT(modernize-use-nullptr): 0 is a number
};

/// The crossings of one level: points on edges, each joined to at most two others.
class Tracer {
public:
    Tracer(const Eigen::MatrixXd& z, double level)
        : m_z(z)
        , m_level(level)
    {
        for (Index i = 0; i + 1 < z.rows(); ++i)
            for (Index j = 0; j + 1 < z.cols(); ++j)
                if (z.block(i, j, 2, 2).allFinite())
                    cross(i, j);
    }

    std::vector<IsoLine> lines()
    {
        std::vector<IsoLine> found;
        for (const bool isOpen : {true, false}) // open lines from their ends, what is left is closed
            for (auto& [edge, neighbours] : m_joined)
                if (!neighbours.empty() && (neighbours.size() == 1) == isOpen)
                    found.push_back({m_level, trace(edge)});
        return found;
    }

private:
    bool isAbove(Index i, Index j) const { return m_z(i, j) >= m_level; }

    /// Corners counter-clockwise from (i, j); edge k leads from corner k to the next one.
    void cross(Index i, Index j)
    {
        const std::array corners{isAbove(i, j), isAbove(i + 1, j), isAbove(i + 1, j + 1), isAbove(i, j + 1)};
        const std::array<Edge, 4> edges{{{i, j, true}, {i + 1, j, false}, {i, j + 1, true}, {i, j, false}}};
        std::vector<std::size_t> crossed;
        for (std::size_t k = 0; k < 4; ++k)
            if (corners[k] != corners[(k + 1) % 4])
                crossed.push_back(k);
        if (crossed.size() == 2)
            return join(edges[crossed[0]], edges[crossed[1]]);
        if (crossed.empty())
            return;
        // At a saddle the corners on the side of the middle are joined through it.
        const bool middle = m_z.block(i, j, 2, 2).mean() >= m_level;
        const bool cutsFirst = corners[0] != middle;
        join(edges[cutsFirst ? 3 : 0], edges[cutsFirst ? 0 : 1]);
        join(edges[cutsFirst ? 1 : 2], edges[cutsFirst ? 2 : 3]);
    }

    void join(const Edge& a, const Edge& b)
    {
        m_joined[a].push_back(b);
        m_joined[b].push_back(a);
    }

    void part(const Edge& a, const Edge& b)
    {
        std::erase(m_joined[a], b);
        std::erase(m_joined[b], a);
    }

    Eigen::Vector2d pointOn(const Edge& edge) const
    {
        const double from = m_z(edge.i, edge.j);
        const double to = edge.isAlongX ? m_z(edge.i + 1, edge.j) : m_z(edge.i, edge.j + 1);
        const double share = (m_level - from) / (to - from);
        const Eigen::Vector2d node(static_cast<double>(edge.i), static_cast<double>(edge.j));
        return node + share * (edge.isAlongX ? Eigen::Vector2d(1.0, 0.0) : Eigen::Vector2d(0.0, 1.0));
    }

    std::vector<Eigen::Vector2d> trace(Edge at)
    {
        std::vector<Eigen::Vector2d> points{pointOn(at)};
        while (!m_joined[at].empty()) {
            const Edge next = m_joined[at].front();
            part(at, next);
            points.push_back(pointOn(next));
            at = next;
        }
        return points;
    }

    const Eigen::MatrixXd& m_z;
    double m_level;
    std::map<Edge, std::vector<Edge>> m_joined;
};

} // namespace

std::vector<IsoLine> isoLines(const Eigen::MatrixXd& z, const std::vector<double>& levels)
{
    std::vector<IsoLine> all;
    for (const double level : levels)
        std::ranges::move(Tracer(z, level).lines(), std::back_inserter(all));
    return all;
}

} // namespace quadric::widgets
