// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/legend.h"
#include "widgets/plots/profiler/profiler.h"

#include <QColor>

#include <vector>

namespace quadric::widgets {

/// The look of what a profiler shows, the same in a cell and in its legend.
QColor hillColor(const PlotStyle& style);  ///< desirability at the foot of a cell
QColor shadeColor(const PlotStyle& style); ///< settings that may be the best

/// What the encodings of a profiler mean: those that appear.
std::vector<LegendItem> profilerLegend(const ProfilerData& data);

} // namespace quadric::widgets
