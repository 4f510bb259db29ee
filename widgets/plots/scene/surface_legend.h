// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/running_map.h"
#include "widgets/plots/base/legend.h"

#include <QColor>
#include <QPointF>

#include <vector>

namespace quadric::widgets {

constexpr double kPointRadius = 4.0; ///< of a run on a surface, pixels

/// Of a run whose other factors are not where the surface holds them.
QColor paleRunColor(const PlotStyle& style);

/// An open dot: seen through the surface.
void drawHollowDot(QPainter& painter, QPointF at, double radius, const QColor& color, const QColor& rim);

/// What the encodings of a surface mean: those that appear. `range`: of its upright axis.
std::vector<LegendItem> surfaceLegend(const model::MarkedSurface& grid, double range);

} // namespace quadric::widgets
