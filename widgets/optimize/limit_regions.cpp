// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/limit_regions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

/// A limit as a function that is positive where it holds.
struct Margin {
    const optimize::LimitLayer* layer;
    double limit;
    double sign;

    double at(Eigen::Index i, Eigen::Index j) const { return sign * (layer->value(i, j) - limit); }
};

struct Vertex {
    QPointF place;
    std::vector<double> margins;
};
using Shape = std::vector<Vertex>;

/// What a map looks like on the screen, cell by cell.
class Tracer {
public:
    Tracer(const optimize::LimitMap& map, const PlaneFrame& frame)
        : m_map(map)
        , m_frame(frame)
    {
        for (std::size_t layer = 0; layer < map.layers.size(); ++layer) {
            if (map.layers[layer].low)
                add(layer, *map.layers[layer].low, true);
            if (map.layers[layer].high)
                add(layer, *map.layers[layer].high, false);
        }
    }

    LimitRegions trace()
    {
        const auto rows = static_cast<Eigen::Index>(m_map.x.size()) - 1;
        const auto columns = static_cast<Eigen::Index>(m_map.y.size()) - 1;
        for (Eigen::Index j = 0; j < columns; ++j)
            for (Eigen::Index i = 0; i < rows; ++i)
                traceCell(i, j);
        return std::move(m_regions);
    }

private:
    void add(std::size_t layer, double limit, bool isLow)
    {
        m_margins.push_back({&m_map.layers[layer], limit, isLow ? 1.0 : -1.0});
        m_regions.lines.push_back({layer, isLow, limit, {}});
    }

    Vertex vertexAt(Eigen::Index i, Eigen::Index j) const
    {
        Vertex vertex{
            m_frame.place({m_map.x[static_cast<std::size_t>(i)], m_map.y[static_cast<std::size_t>(j)]}), {}};
        vertex.margins.reserve(m_margins.size());
        for (const Margin& margin : m_margins)
            vertex.margins.push_back(margin.at(i, j));
        return vertex;
    }

    void traceCell(Eigen::Index i, Eigen::Index j)
    {
        const std::array<Vertex, 4> corners{vertexAt(i, j), vertexAt(i + 1, j), vertexAt(i + 1, j + 1),
                                            vertexAt(i, j + 1)};
        const QRectF cell = QRectF(corners[0].place, corners[2].place).normalized();
        const bool isAllowed = m_map.isAllowed.block<2, 2>(i, j).all();
        if (!isAllowed)
            m_regions.barred.push_back(cell);
        for (std::size_t k = 0; k < m_margins.size(); ++k) {
            traceLine(corners[0], corners[1], corners[2], k);
            traceLine(corners[0], corners[2], corners[3], k);
        }
        if (!isAllowed)
            return;
        if (std::ranges::all_of(corners, isInside)) {
            addFull(cell);
            return;
        }
        addClipped({corners[0], corners[1], corners[2]});
        addClipped({corners[0], corners[2], corners[3]});
    }

    static bool isInside(const Vertex& vertex)
    {
        return std::ranges::all_of(vertex.margins, [](double margin) { return margin >= 0.0; });
    }

    /// Whole cells side by side become one rectangle.
    void addFull(const QRectF& cell)
    {
        if (!m_regions.feasible.empty()) {
            const QRectF last = m_regions.feasible.back().boundingRect();
            if (m_isLastFull && last.top() == cell.top() && last.right() >= cell.left() - 1e-6) {
                m_regions.feasible.back() = QPolygonF(QRectF(last.topLeft(), cell.bottomRight()));
                return;
            }
        }
        m_regions.feasible.push_back(QPolygonF(cell));
        m_isLastFull = true;
    }

    static Vertex between(const Vertex& a, const Vertex& b, std::size_t margin)
    {
        const double t = a.margins[margin] / (a.margins[margin] - b.margins[margin]);
        Vertex vertex{a.place + t * (b.place - a.place), {}};
        vertex.margins.reserve(a.margins.size());
        for (std::size_t k = 0; k < a.margins.size(); ++k)
            vertex.margins.push_back(std::lerp(a.margins[k], b.margins[k], t));
        return vertex;
    }

    /// The part of a shape where all limits hold (Sutherland and Hodgman's clipping).
    void addClipped(Shape shape)
    {
        for (std::size_t k = 0; k < m_margins.size() && !shape.empty(); ++k) {
            Shape kept;
            for (std::size_t v = 0; v < shape.size(); ++v) {
                const Vertex& from = shape[v];
                const Vertex& to = shape[(v + 1) % shape.size()];
                if (from.margins[k] >= 0.0)
                    kept.push_back(from);
                if ((from.margins[k] >= 0.0) != (to.margins[k] >= 0.0))
                    kept.push_back(between(from, to, k));
            }
            shape = std::move(kept);
        }
        if (shape.size() < 3)
            return;
        QPolygonF polygon;
        for (const Vertex& vertex : shape)
            polygon << vertex.place;
        m_regions.feasible.push_back(polygon);
        m_isLastFull = false;
    }

    /// The piece of a limit's line inside a triangle.
    void traceLine(const Vertex& a, const Vertex& b, const Vertex& c, std::size_t k)
    {
        QPolygonF ends;
        const Vertex* allowed = nullptr;
        for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &c), std::pair(&c, &a)}) {
            if (from->margins[k] >= 0.0)
                allowed = from;
            if ((from->margins[k] >= 0.0) != (to->margins[k] >= 0.0))
                ends << between(*from, *to, k).place;
        }
        if (ends.size() != 2)
            return;
        QLineF piece(ends[0], ends[1]);
        const QPointF away = allowed->place - piece.p1();
        const QLineF normal = piece.normalVector();
        if (QPointF::dotProduct(away, normal.p2() - normal.p1()) < 0.0)
            piece = QLineF(ends[1], ends[0]);
        m_regions.lines[k].pieces.push_back(piece);
    }

    const optimize::LimitMap& m_map;
    const PlaneFrame& m_frame;
    std::vector<Margin> m_margins;
    LimitRegions m_regions;
    bool m_isLastFull = false;
};

} // namespace

LimitRegions limitRegions(const optimize::LimitMap& map, const PlaneFrame& frame)
{
    return Tracer(map, frame).trace();
}

} // namespace quadric::widgets
