// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/limit_map.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// The limits of all responses laid over one another: the sweet spot is filled, each limit is a line with
/// short strokes on the forbidden side and its name on it. A click, dragging the dot, or the arrow keys look
/// at another setting.
class LimitPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit LimitPlot(QWidget* parent = nullptr);

    /// `shown`: the setting that is looked at, actual values. `places`: over the same axes 1 where a setting
    /// may be the best and 0 elsewhere; empty: not known.
    void setMap(const optimize::LimitMap& map, QPointF shown, const Eigen::MatrixXd& places = {});

signals:
    void placeRequested(double x, double y);
    /// A step by key: shares of both axes.
    void stepRequested(double x, double y);

protected:
    void placeAsked(QPointF values) override;
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace quadric::widgets
