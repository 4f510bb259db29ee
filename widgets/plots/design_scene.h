// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/plots/box_axes.h"

namespace quadric::widgets {

/// Runs of a design that share one setting of the three factors shown.
struct DesignPoint {
    Point3 place;                                        ///< box coordinates
    std::vector<int> runs;                               ///< ids
    study::RunStatus status = study::RunStatus::Pending; ///< of the run that asks for most attention
};

/// The cube of a design's first three numeric factors (a square where there are two), ready to be looked at
/// from anywhere.
class DesignScene {
public:
    /// `reason()` says what is missing when there are fewer than two numeric factors.
    explicit DesignScene(const study::Study& study);

    const QString& reason() const { return m_reason; }
    bool isFlat() const { return m_axisCount == 2; }
    double height() const { return isFlat() ? 0.001 : 0.9; }
    const BoxAxes& axes() const { return m_axes; }
    const std::vector<DesignPoint>& points() const { return m_points; }

    void paint(QPainter& painter, const Projection& projection, const PlotStyle& style, int pickedRun) const;
    void paintLegend(QPainter& painter, const QRectF& line, const PlotStyle& style) const;

    /// The nearest point to the eye under a position; none: nullptr.
    const DesignPoint* pointAt(const Projection& projection, QPointF position) const;

private:
    void place(const study::Study& study, const std::vector<std::size_t>& shown);
    void setUpAxes(const study::Study& study, const std::vector<std::size_t>& shown);
    std::vector<const DesignPoint*> farthestFirst(const Projection& projection) const;
    void paintEdges(QPainter& painter, const Projection& projection, const PlotStyle& style) const;
    void paintPoint(QPainter& painter, const Projection& projection, const PlotStyle& style,
                    const DesignPoint& point, bool isPicked) const;

    QString m_reason;
    int m_axisCount = 0;
    double m_extent = 1.0; ///< largest coded value shown; the cube's corners are at ±1
    BoxAxes m_axes;
    std::vector<DesignPoint> m_points;
};

} // namespace quadric::widgets
