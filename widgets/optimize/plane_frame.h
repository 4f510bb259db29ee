// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/axis_scale.h"
#include "widgets/plots/plot_style.h"

#include <QPointF>

namespace quadric::widgets {

/// Two axes with their titles, and where values fall between them.
struct PlaneFrame {
    QRectF area;
    AxisScale x, y;
    double left = 0.0; ///< where the labels begin

    QPointF place(QPointF value) const
    {
        return {area.left() + x.fractionOf(value.x()) * area.width(),
                area.bottom() - y.fractionOf(value.y()) * area.height()};
    }
    /// The value under a position, taken to the ends of the axes.
    QPointF valueAt(QPointF position) const;
};

PlaneFrame planeFrame(const QRectF& target, const PlotStyle& style, const AxisScale& x, const AxisScale& y);

void drawAxes(QPainter& painter, const PlaneFrame& frame, const PlotStyle& style, const QString& xTitle,
              const QString& yTitle);

} // namespace quadric::widgets
