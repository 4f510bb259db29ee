// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/iso_lines.h"
#include "widgets/text/text_table.h"

#include <QPolygonF>

#include <functional>
#include <optional>
#include <vector>

namespace quadric::widgets {

/// Plain descriptions of plots with two axes. All positions are in the units of the axes.

struct PanelAxis {
    QString title;
    AxisScale scale;
    std::vector<Tick> ticks = {}; ///< empty: round values, as many as have room
    bool isCategory = false;      ///< the ticks are names; y: of rows, from 0 down to −1, −2, …
};

/// Which lines the ticks draw through a panel.
enum class PanelGrid { Horizontal, Vertical, Both, None };

enum class LineRole { Fit, Extrapolation, Limit, SecondLimit, Reference };

struct PanelLine {
    std::vector<double> x, y;
    LineRole role = LineRole::Fit;
    int category = -1;  ///< one of several curves: its color and dashes
    QString label = {}; ///< written at the line's end
    bool isLabelBelow = false;
};

struct PanelBand {
    std::vector<double> x, low, high;
    bool isExtrapolation = false;
    int category = -1;
};

/// How a region is filled: with the color of a level, hatched where no run supports what is shown, shaded
/// where a limit does not hold, hatched the other way where a setting cannot be run, both ways where runs
/// fail more often than not. Confidence is an outline only.
enum class RegionRole { Level, Unsupported, Forbidden, Barred, Failing, Confidence };

/// A region under the grid.
struct PanelRegion {
    std::vector<QPolygonF> outlines = {}; ///< by the even-odd rule
    RegionRole role = RegionRole::Level;
    double level = 0.0; ///< of the color scale, 0…1
    int limitOf = -1;   ///< response whose limit does not hold
};

/// A line of equal height. Over colors it is light or dark, after its level; of one of several responses it
/// has their color and a name in a box, and as a limit short strokes at the right of the way along it.
struct PanelContour {
    QPolygonF points = {};
    QString label = {};
    double level = 0.0; ///< of the color scale, 0…1
    int limitOf = -1;   ///< response
    bool isLimit = true;
    bool isChance = false; ///< of the probability of giving a result
};

enum class DotRole { Observed, Mean, Plain, Outstanding, Choice, Shown, Faint, Setting, Failed };

struct PanelDot {
    double x = 0.0, y = 0.0;
    int run = -1; ///< the run that a click picks
    DotRole role = DotRole::Observed;
    QString tip = {};
    QString label = {};
    int category = -1;
    bool isHandle = false;            ///< can be dragged
    std::optional<double> level = {}; ///< of the color scale, 0…1, that a choice has its color of
};

enum class BarRole { Plain, Outstanding, Weak, Range };

/// A bar: of a histogram, or of a row of a category axis.
struct PanelBar {
    double left = 0.0, right = 0.0, low = 0.0, high = 0.0;
    BarRole role = BarRole::Plain;
    bool isHatched = false; ///< hatch instead of a fill
    QString tip = {};
    QString text = {};          ///< what stands beside the axes at the right
    std::vector<int> runs = {}; ///< that it counts: it is framed when one of them is lit
};

/// A cell of a heat map, a unit wide and high, darker for a higher level.
struct PanelCell {
    double x = 0.0, y = 0.0; ///< of its middle
    double level = 0.0;      ///< 0…1
    QString text = {};       ///< written where it has room
    QString tip = {};
    bool isPicked = false;
};

/// An upright line through the panel whose name stands above it.
struct PanelLimit {
    double at = 0.0;
    QString name;
    LineRole role = LineRole::Limit;
};

/// One pair of axes and what is drawn in it, in this order.
struct Panel {
    QString title = {};
    PanelAxis x = {}, y = {};
    PanelGrid grid = PanelGrid::Horizontal;
    std::vector<PanelCell> cells = {}; ///< drawn as squares; the axes have a unit for each
    std::vector<PanelRegion> regions = {};
    std::vector<PanelContour> contours = {};
    std::vector<PanelBar> bars = {};
    std::vector<PanelBand> bands = {};
    std::vector<PanelLine> lines = {};
    std::vector<PanelDot> dots = {};
    std::vector<PanelLimit> limits = {}; ///< at most two, from left to right
    int leastRows = 0; ///< of a category axis: so many are seen, in small type where there is little room
    std::vector<Tick> headings = {}; ///< words at places of a category axis, above the names of their rows
    QString note = {};               ///< one line above the panel, muted
    /// What is said of a place between the axes where there is neither dot nor bar.
    std::function<QString(double x, double y)> reading = {};
};

struct LegendEntry {
    enum class Sample { Dot, Line, LineInBand, Bar, HatchedBar, Cell, Region } sample = Sample::Dot;
    QString text;
    DotRole dot = DotRole::Observed;
    LineRole line = LineRole::Fit;
    int category = -1;
    double level = 0.0; ///< of a cell or a region, or of a dot that has its color of one
    RegionRole region = RegionRole::Unsupported;
    BarRole bar = BarRole::Outstanding;
};

/// Panels in rows, under one title line and one legend.
struct PanelBoard {
    QString title = {};
    std::vector<Panel> panels = {};
    std::vector<LegendEntry> legend = {};
    int columns = 0;                      ///< 0: as many as have room
    bool keepsColumns = false;            ///< fewer panels than columns become no wider
    bool sharesY = false;                 ///< one response axis: labels at the first column only
    std::optional<AxisScale> colors = {}; ///< of the levels, explained by a bar at the right
    TextTable table = {};                 ///< the same in numbers
};

/// Dots that a panel draws at most: more lie on each other, and a picture of them would be a hundred times as
/// large.
inline constexpr std::size_t kMostDots = 2000;

/// Which of so many dots are drawn: all up to kMostDots, otherwise every nth.
std::size_t thinningStride(std::size_t dots);

/// Leaves every nth dot of a panel that has too many, those that stand out, have a name or are at an end of
/// an axis among them, and says so above the panel. The board's table has them all.
void thinDots(Panel& panel);

/// Adds what is not feasible of a map with these axes to its panel, smooth between the nodes, and to the
/// legend; nothing where all is.
void addInfeasible(PanelBoard& board, Panel& panel, const GridAxes& axes, const study::FeasibleGrid& grid);

/// What its hatch means.
LegendEntry infeasibleEntry();

/// Adds where runs fail more often than not, with the line of an even chance, and the runs that failed, each
/// with its entry in the legend.
void addFailing(PanelBoard& board, Panel& panel, const GridAxes& axes, const study::FeasibleGrid& running);
void addFailedRuns(PanelBoard& board, Panel& panel, const std::vector<model::FailedPoint>& failed);

/// What the hatch and the crosses mean.
LegendEntry failingEntry();
LegendEntry failedEntry();

/// "Runs with 34 %"; empty for no probability.
QString runsWithText(double probability);
/// "Run 7 failed: out of memory".
QString failedText(const model::FailedPoint& point);

} // namespace quadric::widgets
