// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/limit_map.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// What a contour profiler shows over two factors; all values are actual ones.
struct ContourProfile {
    optimize::LimitMap map;
    std::vector<std::optional<double>> contours = {}; ///< per response of the map; empty: limits alone
    QPointF shown = {};                               ///< the setting that is looked at
    /// At the nodes of the map: negative where a prediction is an extrapolation; empty: nowhere.
    Eigen::MatrixXd support = {};
    /// Over the same axes 1 where a setting may be the best and 0 elsewhere; empty: not known.
    Eigen::MatrixXd places = {};
    /// What is told of a place of the map; none: nothing.
    std::function<QString(double x, double y)> reading = {};
};

/// A line for every response at one of its values, and the limits of all responses laid over one another:
/// what they forbid is shaded, each limit is a broken line with short strokes on the forbidden side and its
/// name on it, what no constraint allows is hatched, and so, the other way, what no run supports. The sweet
/// spot is what stays clear. A click, dragging the dot of the crosshair, or the arrow keys look at another
/// setting.
class ContourProfilerPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit ContourProfilerPlot(QWidget* parent = nullptr);

    void setProfile(const ContourProfile& profile);

signals:
    void placeRequested(double x, double y);
    /// A step by key: shares of both axes.
    void stepRequested(double x, double y);

protected:
    void placeAsked(QPointF values) override;
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace quadric::widgets
