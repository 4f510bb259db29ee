// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/plot_style.h"

#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <vector>

class QPainter;

namespace quadric::widgets {

/// One encoding of a plot: a sample of how it looks, and what it means.
struct LegendItem {
    QString text;
    std::function<void(QPainter& painter, const QRectF& sample, const PlotStyle& style)> paint;
};

constexpr double kLegendSample = 20.0; ///< of an item, left of its words, in pixels
constexpr double kLegendGap = 12.0;    ///< between two items

/// How many items stand in each line: as many as there is room for.
std::vector<std::size_t> legendLines(const QStringList& texts, double width, const PlotStyle& style);

/// Height of one line, in pixels.
double legendLineHeight(const PlotStyle& style);

/// Height of all lines above a plot of this size; 0 where that would leave too little of the plot, which then
/// has no legend.
double legendHeight(const QStringList& texts, const QSizeF& area, const PlotStyle& style);

QStringList listLegendTexts(const std::vector<LegendItem>& items);

/// Samples and their words in lines from the top of `area` on, right-aligned. Nothing where the area has no
/// height.
void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendItem>& items,
                 const PlotStyle& style);

/// Ticks at whole numbers for an axis of counts on which round values lie between them as well, as from 1 to
/// 2 GPUs; empty where they do not: the usual ticks are whole then.
std::vector<Tick> wholeTicks(const AxisScale& scale);

/// Room in pixels that a bar of colors and its labels need at this height.
double colorBarWidth(const AxisScale& scale, double height, const PlotStyle& style);

/// The colors of a scale with its labels, at the left of `area`.
void paintColorBar(QPainter& painter, const QRectF& area, const AxisScale& scale, const PlotStyle& style);

/// Draws the title of an axis or of a panel on one line: around `middle`, moved where the room ends, and in
/// smaller type, down to what can just be read, where it is longer than the room.
void drawFittedTitle(QPainter& painter, double middle, const QRectF& room, const QFont& font,
                     const QColor& color, const QString& title);

/// The name of an upright line.
struct LimitName {
    double x = 0.0;     ///< of the line, pixels
    double width = 0.0; ///< of the words, pixels
};

inline constexpr double kLimitGap = 4.0; ///< between a line and its name, pixels

/// Where the names stand in a band of two lines of words, like flags at the top of their lines, all on the
/// same side: a name stays in the lower line unless the next line would run through it. No name touches a
/// line or another name, as long as `band` has room on one side of every line. `names`: from left to right,
/// at most two. A line reaches up to the top of its name.
std::vector<QRectF> placeLimitNames(const std::vector<LimitName>& names, const QRectF& band);

} // namespace quadric::widgets
