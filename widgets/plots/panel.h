// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/axis_scale.h"
#include "widgets/text/text_table.h"

#include <vector>

namespace quadric::widgets {

/// Plain descriptions of plots with two axes. All positions are in the units of the axes.

struct PanelAxis {
    QString title;
    AxisScale scale;
    std::vector<Tick> ticks = {}; ///< empty: round values, as many as have room
};

enum class LineRole { Fit, Extrapolation, Limit, SecondLimit, Reference };

struct PanelLine {
    std::vector<double> x, y;
    LineRole role = LineRole::Fit;
    int category = -1;  ///< one of several curves: its colour and dashes
    QString label = {}; ///< written at the line's end
    bool isLabelBelow = false;
};

struct PanelBand {
    std::vector<double> x, low, high;
    bool isExtrapolation = false;
    int category = -1;
};

enum class DotRole { Observed, Mean, Plain, Outstanding };

struct PanelDot {
    double x = 0.0, y = 0.0;
    int run = -1; ///< the run that a click picks
    DotRole role = DotRole::Observed;
    QString tip = {};
    QString label = {};
    int category = -1;
};

/// A bar of a histogram, from the axis up.
struct PanelBar {
    double from = 0.0, to = 0.0, height = 0.0;
    QString tip = {};
};

/// One pair of axes and what is drawn in it, in this order.
struct Panel {
    QString title = {};
    PanelAxis x = {}, y = {};
    std::vector<PanelBar> bars = {};
    std::vector<PanelBand> bands = {};
    std::vector<PanelLine> lines = {};
    std::vector<PanelDot> dots = {};
    QString note = {}; ///< one line above the panel, muted
};

struct LegendEntry {
    enum class Sample { Dot, Line, LineInBand } sample = Sample::Dot;
    QString text;
    DotRole dot = DotRole::Observed;
    LineRole line = LineRole::Fit;
    int category = -1;
};

/// Panels in rows, under one title line and one legend.
struct PanelBoard {
    QString title = {};
    std::vector<Panel> panels = {};
    std::vector<LegendEntry> legend = {};
    int columns = 0;           ///< 0: as many as have room
    bool keepsColumns = false; ///< fewer panels than columns become no wider
    bool sharesY = false;      ///< one response axis: labels at the first column only
    TextTable table = {};      ///< the same in numbers
};

} // namespace quadric::widgets
