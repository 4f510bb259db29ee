// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/scene/orbit_box.h"
#include "widgets/plots/scene/surface_mesh.h"

#include <optional>
#include <vector>

namespace quadric::widgets {

/// A surface with its observed points, ready to be looked at from anywhere. Cells and points are drawn from
/// the far end to the near one, so that hills hide what lies behind them.
class SurfaceScene {
public:
    /// `withInterval`: both ends of the confidence interval as nets, where the grid has them.
    SurfaceScene(const model::MarkedSurface& grid, bool withInterval);

    /// The same on the same axes, with at most so many nodes along each of them.
    SurfaceScene coarser(std::size_t nodes) const;

    const model::MarkedSurface& grid() const { return m_grid; }
    const BoxAxes& axes() const { return m_axes; }
    const SurfaceScales& scales() const { return m_scales; }

    /// `withContours`: lines of equal response on the floor.
    void paint(QPainter& painter, const Projection& projection, const PlotStyle& style,
               const PickedRuns& picked, bool withContours, Finish finish) const;

    /// What its encodings mean: those that appear.
    const std::vector<LegendItem>& legend() const { return m_legend; }

    /// The setting that is looked at, actual values of both factors: a dot on the surface, above its foot on
    /// the floor. Seen through what hides it; not drawn beside the surface.
    void paintSetting(QPainter& painter, const Projection& projection, const PlotStyle& style,
                      QPointF at) const;

    /// Whether a run's other factors are where the surface holds them; its point is drawn pale otherwise.
    bool isOnThisSurface(const model::ObservedPoint& point) const;

    /// The visible observed point within reach of a position on the screen; none: nullptr.
    const model::ObservedPoint* pointAt(const Projection& projection, QPointF position) const;
    /// The same of the runs that failed.
    const model::FailedPoint* failedAt(const Projection& projection, QPointF position) const;
    /// Actual values of both factors in the middle of the nearest cell under a position on the screen.
    std::optional<QPointF> surfaceAt(const Projection& projection, QPointF position) const;

private:
    struct Mark;      ///< an observed point and when it is drawn
    struct DrawOrder; ///< cells from far to near
    struct FloorLine {
        QColor color;
        std::vector<Point3> points;
    };

    void scaleAxes(bool withInterval);
    void buildMeshes(bool withInterval);
    void traceFloorContours();
    DrawOrder orderFrom(const Projection& projection) const;
    double markDepthBias(const Projection& projection) const;
    std::vector<Mark> marksFrom(const Projection& projection, const DrawOrder& order) const;
    void paintContours(QPainter& painter, const Projection& projection, const PlotStyle& style) const;
    void paintMark(QPainter& painter, const Mark& mark, const PlotStyle& style, bool isPicked) const;
    void addFailedMarks(const Projection& projection, const DrawOrder& order, std::vector<Mark>& marks) const;
    const Mark* markAt(const std::vector<Mark>& marks, const Projection& projection, const DrawOrder& order,
                       QPointF position) const;
    bool isHidden(const Mark& mark, const DrawOrder& order, const SurfaceMesh::Nodes& nodes) const;

    std::vector<LegendItem> m_legend;
    model::MarkedSurface m_grid;
    SurfaceScales m_scales;
    BoxAxes m_axes;
    std::vector<SurfaceMesh> m_surface; ///< one
    std::vector<SurfaceMesh> m_nets;    ///< below and above, or none
    std::vector<FloorLine> m_contours;
    std::vector<double> m_xEdges, m_yEdges; ///< box coordinates of the grid lines
};

} // namespace quadric::widgets
