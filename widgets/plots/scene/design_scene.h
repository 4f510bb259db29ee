// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/base/page.h"
#include "widgets/plots/scene/orbit_box.h"

namespace quadric::widgets {

/// Runs of a design that share one setting of the three factors shown.
struct DesignPoint {
    Point3 place;                                        ///< box coordinates
    std::vector<int> runs;                               ///< ids
    study::RunStatus status = study::RunStatus::Pending; ///< of the run that asks for most attention
};

/// Which part of a design is looked at.
struct DesignView {
    std::vector<std::size_t> axes;      ///< indices of one to three numeric factors
    std::string facet = {}, level = {}; ///< only runs with this level of a categorical factor; empty: all
};

/// What the symbols of runs of these statuses mean, in one line.
void paintDesignLegend(QPainter& painter, const QRectF& line, const PlotStyle& style,
                       const std::vector<study::RunStatus>& statuses);

/// The factors that can be an axis of a design cube: numeric ones with a range that can be coded.
std::vector<std::size_t> cubeFactors(const study::Study& study);

/// The axes of a cube: the wanted factors that can be one, filled up to three with the first others.
std::vector<std::size_t> cubeAxes(const study::Study& study, const std::vector<std::string>& wanted = {});

/// The categorical factor that divides a design into a picture for each of its levels: the first one with not
/// too many of them; null where there is none.
const study::Factor* facetFactor(const study::Study& study);

/// The cube of three numeric factors of a design, ready to be looked at from anywhere; a square of two and a
/// line of one, looked at from above.
class DesignScene {
public:
    /// `reason()` says what is missing when `view` has no axis.
    DesignScene(const study::Study& study, DesignView view);

    const QString& reason() const { return m_reason; }
    const DesignView& view() const { return m_view; }
    bool isFlat() const { return m_view.axes.size() <= 2; }
    double height() const { return isFlat() ? 0.001 : 0.9; }
    const BoxAxes& axes() const { return m_axes; }
    const std::vector<DesignPoint>& points() const { return m_points; }

    /// The axes and the points.
    void paint(QPainter& painter, const Projection& projection, const PlotStyle& style,
               const PickedRuns& picked) const;

    /// The nearest point to the eye under a position; none: nullptr.
    const DesignPoint* pointAt(const Projection& projection, QPointF position) const;

private:
    void place(const study::Study& study, const study::Coding& coding);
    void setUpAxes(const study::Coding& coding);
    std::vector<const DesignPoint*> farthestFirst(const Projection& projection) const;
    void paintLine(QPainter& painter, const Projection& projection, const PlotStyle& style) const;
    void paintEdges(QPainter& painter, const Projection& projection, const PlotStyle& style) const;
    void paintPoint(QPainter& painter, const Projection& projection, const PlotStyle& style,
                    const DesignPoint& point, bool isPicked) const;
    void paintCounts(QPainter& painter, const Projection& projection, const PlotStyle& style) const;

    DesignView m_view;
    QString m_reason;
    double m_extent = 1.0; ///< largest coded value shown; the cube's corners are at ±1
    BoxAxes m_axes;
    std::vector<DesignPoint> m_points;
};

} // namespace quadric::widgets
