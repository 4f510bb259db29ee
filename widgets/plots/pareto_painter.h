// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/pareto_data.h"
#include "widgets/plots/plot_style.h"

namespace quadric::widgets {

/// Draws the chart with the names of its limits, its axis and its legend.
void paintPareto(QPainter& painter, const QRectF& area, const PlotStyle& style, ParetoData chart);

/// The bar in whose row a position of the area lies, −1 for none.
int paretoBarAt(const QRectF& area, const PlotStyle& style, const ParetoData& chart, QPointF position);

} // namespace quadric::widgets
