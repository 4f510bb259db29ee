// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

QStringList textsOf(const std::vector<LegendItem>& items);

/// Samples and their words in lines from the top of `area` on, right-aligned. Nothing where the area has no
/// height.
void paintLegend(QPainter& painter, const QRectF& area, const std::vector<LegendItem>& items,
                 const PlotStyle& style);

} // namespace quadric::widgets
