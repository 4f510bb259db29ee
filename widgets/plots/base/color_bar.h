// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/plot_style.h"

namespace quadric::widgets {

/// Room in pixels that a bar of colors and its labels need at this height.
double colorBarWidth(const AxisScale& scale, double height, const PlotStyle& style);

/// The colors of a scale with its labels, at the left of `area`.
void paintColorBar(QPainter& painter, const QRectF& area, const AxisScale& scale, const PlotStyle& style);

} // namespace quadric::widgets
