// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/scene/projection.h"

namespace quadric::widgets {

/// A tick of a box axis: `at` from −1 to +1.
struct BoxTick {
    double at = 0.0;
    QString label;
};

struct BoxAxis {
    QString title;
    std::vector<BoxTick> ticks;
};

/// Ticks of a scale, placed on a box axis.
BoxAxis boxAxis(const QString& title, const AxisScale& scale, int most);

/// The box around a 3D plot: floor and the two walls at the back with grid lines, ticks, labels and titles
/// outside its outline. Labels that would overlap are left out.
class BoxAxes {
public:
    BoxAxis x, y, z;

    /// Room in pixels that labels and titles need around the box.
    QMarginsF margins(const PlotStyle& style) const;
    void paint(QPainter& painter, const Projection& projection, const PlotStyle& style) const;
};

} // namespace quadric::widgets
