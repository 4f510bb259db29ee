// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict.h"
#include "widgets/plots/box_axes.h"

#include <optional>

namespace quadric::widgets {

/// A point of the surface in actual units.
struct SurfaceHit {
    double x = 0.0, y = 0.0, z = 0.0;
    bool isExtrapolation = false;
};

/// A surface with its observed points, ready to be looked at from anywhere. Cells and points are drawn from
/// the far end to the near one, so that hills hide what lies behind them.
class SurfaceScene {
public:
    /// Half the height of the box; its base reaches from −1 to +1.
    static constexpr double kHeight = 0.62;

    explicit SurfaceScene(const model::SurfaceGrid& grid);

    const model::SurfaceGrid& grid() const { return m_grid; }
    const BoxAxes& axes() const { return m_axes; }
    const AxisScale& zScale() const { return m_zScale; }
    /// The response values of the first and the last colour.
    double lowestColored() const { return m_lowest; }
    double highestColored() const { return m_highest; }
    QColor colorOf(double z) const;

    void paint(QPainter& painter, const Projection& projection, const PlotStyle& style, int pickedRun) const;

    /// Whether a run's other factors are where the surface holds them; its point is drawn pale otherwise.
    bool isOnThisSurface(const model::ObservedPoint& point) const;

    /// The visible observed point within reach of a position on the screen; none: nullptr.
    const model::ObservedPoint* pointAt(const Projection& projection, QPointF position) const;
    /// The nearest cell of the surface under a position on the screen.
    std::optional<SurfaceHit> surfaceAt(const Projection& projection, QPointF position) const;

    /// The box coordinates of actual values.
    Point3 place(double x, double y, double z) const;

private:
    struct Mark;      ///< an observed point and when it is drawn
    struct DrawOrder; ///< cells from far to near
    using Nodes = std::vector<QPointF>;

    void scaleAxes();
    std::size_t nodeIndex(std::size_t i, std::size_t j) const { return i * m_grid.y.size() + j; }
    std::size_t rows() const { return m_grid.x.size() - 1; }
    std::size_t columns() const { return m_grid.y.size() - 1; }
    bool isDrawn(std::size_t i, std::size_t j) const;
    bool isExtrapolated(std::size_t i, std::size_t j) const;
    double meanOf(std::size_t i, std::size_t j) const;
    Nodes projectNodes(const Projection& projection) const;
    DrawOrder orderFrom(const Projection& projection) const;
    double surfaceUnder(const model::ObservedPoint& point) const;
    double biasFor(const Projection& projection) const;
    std::vector<Mark> marksFrom(const Projection& projection, const DrawOrder& order) const;
    QPolygonF cellOutline(const Nodes& nodes, std::size_t i, std::size_t j) const;
    void paintCell(QPainter& painter, const Nodes& nodes, std::size_t i, std::size_t j) const;
    void paintMark(QPainter& painter, const Mark& mark, const PlotStyle& style, bool isPicked) const;
    bool isHidden(const Mark& mark, const DrawOrder& order, const Nodes& nodes) const;

    model::SurfaceGrid m_grid;
    AxisScale m_xScale, m_yScale, m_zScale;
    double m_lowest = 0.0, m_highest = 1.0;
    BoxAxes m_axes;
    std::vector<Point3> m_nodes;
    std::vector<double> m_xEdges, m_yEdges; ///< box coordinates of the grid lines
};

} // namespace quadric::widgets
