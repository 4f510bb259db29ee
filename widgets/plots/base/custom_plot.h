// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/plot_style.h"

#include <QSharedPointer>

class QCPAxis;
class QCPAxisTicker;
class QCustomPlot;

namespace quadric::widgets {

/// Fonts, ground and antialiasing of a QCustomPlot that is only drawn, never shown.
void preparePlot(QCustomPlot& plot, const PlotStyle& style);

/// Colors and fonts of an axis and its grid.
void styleAxis(QCPAxis& axis, const PlotStyle& style);

/// Exactly these ticks.
QSharedPointer<QCPAxisTicker> tickerOf(const std::vector<Tick>& ticks);

/// Lays the plot out for the size of `area` and draws it there: onto pixels directly, else as vectors.
void drawCustomPlot(QCustomPlot& plot, QPainter& painter, const QRectF& area);

} // namespace quadric::widgets
