// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/scene/orbit_box.h"
#include "widgets/text/text_table.h"

#include <QColor>
#include <QPolygonF>
#include <QString>

#include <array>
#include <optional>

class QPainter;

namespace quadric::widgets {

/// How the values of a surface are placed in its box and colored.
struct SurfaceScales {
    /// Half the height of the box; its base reaches from −1 to +1.
    static constexpr double kHeight = 0.62;

    AxisScale x, y, z;
    AxisScale colors;

    Point3 place(double actualX, double actualY, double response) const;
    QColor colorOf(double response) const;
};

/// Of a cell that no run supports.
QColor extrapolatedColor(const QColor& fill);

/// Smooth edges, or the fastest way to draw, for while the surface is turned.
enum class Finish { Smooth, Quick };

/// A surface as cells that can be painted one by one, in any order; `net`: only some of its lines, which let
/// see what is behind them.
class SurfaceMesh {
public:
    enum class Kind { Surface, Net };
    SurfaceMesh(const model::MarkedSurface& grid, const Eigen::MatrixXd& heights, const SurfaceScales& scales,
                Kind kind);

    std::size_t rows() const { return m_rows; }
    std::size_t columns() const { return m_columns; }
    bool isDrawn(std::size_t i, std::size_t j) const { return cell(i, j).isDrawn; }

    /// Where the nodes are on the screen, for the calls below.
    using Nodes = std::vector<QPointF>;
    Nodes project(const Projection& projection) const;
    QPolygonF outline(const Nodes& nodes, std::size_t i, std::size_t j) const;

    /// Which cell is painted, and which of its edges (bit k: the one from corner k to the next): those of
    /// which the cell behind them has been painted already.
    struct Turn {
        std::size_t i = 0, j = 0;
        unsigned edges = 0;
    };
    void paint(QPainter& painter, const Nodes& nodes, const Turn& turn, Finish finish) const;

private:
    /// What of a cell cannot be run, or mostly fails, in its own coordinates from corner (0, 0) to (1, 1).
    struct CutPart {
        std::vector<QPointF> outline; ///< empty: nothing
        QList<QPointF> boundary;      ///< two points, where it ends inside the cell
    };
    struct Cell {
        QColor fill, line;
        CutPart barred, failing;
        bool isDrawn = false;
        bool isExtrapolated = false;
        unsigned edges = 0; ///< bit k: the edge from corner k to the next one is a line of the mesh
    };
    const Cell& cell(std::size_t i, std::size_t j) const { return m_cells[i * m_columns + j]; }
    std::size_t node(std::size_t i, std::size_t j) const { return i * (m_columns + 1) + j; }
    static CutPart partBelow(const study::FeasibleGrid& feasible, Eigen::Index i, Eigen::Index j);
    static void paintFailing(QPainter& painter, const Cell& cell, const std::array<QPointF, 4>& corners,
                             bool isHatched, bool isSmooth);
    static void paintBarred(QPainter& painter, const Cell& cell, const std::array<QPointF, 4>& corners,
                            bool isHatched, bool isSmooth);
    Cell makeCell(const model::MarkedSurface& grid, const Eigen::MatrixXd& heights,
                  const SurfaceScales& scales, std::size_t i, std::size_t j) const;

    Kind m_kind;
    std::size_t m_rows = 0, m_columns = 0;
    std::vector<Point3> m_nodes;
    std::vector<Cell> m_cells;
};

/// A place between four nodes of a grid: the cell, and how far into it.
struct GridPosition {
    Eigen::Index i = 0, j = 0;
    double u = 0.0, v = 0.0;
};

/// Where actual values lie in the grid; empty outside. The scales are those of the grid's axes.
std::optional<GridPosition> locate(const model::SurfaceGrid& grid, double x, double y);

/// A value of the grid between its nodes.
double interpolate(const Eigen::MatrixXd& values, const GridPosition& at);

bool isExtrapolated(const model::SurfaceGrid& grid, Eigen::Index i, Eigen::Index j);

/// The fitted response at the place of an observed point; the point's own fitted value beside the grid.
double heightUnder(const model::SurfaceGrid& grid, const model::ObservedPoint& point);

/// Whether a run's other factors are where the grid holds them, as far as the fitted values tell: they agree
/// within a hundredth of `range`.
bool isOnGrid(const model::SurfaceGrid& grid, const model::ObservedPoint& point, double range);

bool isUsable(const model::SurfaceGrid& grid);

/// The same surface with at most so many nodes along each axis, evenly spread and interpolated. Standard
/// errors are left out.
model::MarkedSurface thinned(const model::MarkedSurface& grid, std::size_t nodes);

/// "gpu_count 32 GPUs", a line per axis and one for the response with its interval.
QString describe(const model::MarkedSurface& grid, double x, double y);
/// An observed point in the same words, with its residual.
QString describe(const model::SurfaceGrid& grid, const model::ObservedPoint& point);

/// A run that failed in the same words.
QString describe(const model::SurfaceGrid& grid, const model::FailedPoint& point);

/// Every node of the grid with its interval.
TextTable gridTable(const model::SurfaceGrid& grid);

} // namespace quadric::widgets
