// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/level_plot.h"

#include "core/report/tables/level_table.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

using LevelSummaries = std::vector<model::LevelSummary>;

constexpr double kHalfBox = 0.28; ///< of the room of a level
constexpr double kHalfWhisker = 0.12;
constexpr double kFarthestDot = 0.2; ///< from the middle, where there are many runs
constexpr double kDotsApart = 0.06;
constexpr std::size_t kFewestBoxed = 3; ///< fewer runs have no quartiles worth a box

PanelAxis levelAxis(const model::LevelSummary& summary)
{
    PanelAxis axis;
    axis.title = nameWithUnit(summary.factor, summary.factorUnit);
    axis.isCategory = true;
    axis.scale = {-0.5, static_cast<double>(summary.groups.size()) - 0.5, false};
    for (std::size_t i = 0; i < summary.groups.size(); ++i)
        axis.ticks.push_back({static_cast<double>(i), QString::fromStdString(summary.groups[i].level)});
    return axis;
}

AxisScale valueScale(const LevelSummaries& summaries)
{
    std::vector<double> values;
    for (const model::LevelSummary& summary : summaries)
        for (const model::LevelGroup& group : summary.groups)
            values.insert(values.end(), group.values.begin(), group.values.end());
    return scaleOver(values, false, 0.05);
}

void addBox(Panel& panel, double at, const model::BoxStatistics& box)
{
    const double left = at - kHalfBox, right = at + kHalfBox;
    const double low = box.lowerQuartile, high = box.upperQuartile;
    panel.bands.push_back({.x = {left, right}, .low = {low, low}, .high = {high, high}});
    panel.lines.push_back({.x = {left, right, right, left, left},
                           .y = {low, low, high, high, low},
                           .role = LineRole::Reference});
    for (const auto& [quartile, end] :
         {std::pair(low, box.lowerWhisker), std::pair(high, box.upperWhisker)}) {
        panel.lines.push_back(straightLine(at, quartile, at, end, LineRole::Reference));
        panel.lines.push_back(
            straightLine(at - kHalfWhisker, end, at + kHalfWhisker, end, LineRole::Reference));
    }
    panel.lines.push_back(straightLine(left, box.median, right, box.median, LineRole::Fit));
}

/// Side by side in the order of the runs, so that equal values do not hide each other.
void addRunDots(Panel& panel, double at, const model::LevelSummary& summary, const model::LevelGroup& group)
{
    const auto last = static_cast<double>(group.values.size() - 1);
    const double apart = last > 0.0 ? std::min(kDotsApart, 2.0 * kFarthestDot / last) : 0.0;
    for (std::size_t i = 0; i < group.values.size(); ++i) {
        QStringList lines{namedValue(nameText(summary.response), group.values[i], summary.responseUnit)};
        if (group.isDisturbed[i])
            lines << LevelPlot::tr("disturbed");
        panel.dots.push_back({.x = at + (static_cast<double>(i) - last / 2.0) * apart,
                              .y = group.values[i],
                              .run = group.runs[i],
                              .role = group.isDisturbed[i] ? DotRole::Faint : DotRole::Observed,
                              .tip = runTip(group.runs[i], lines)});
    }
}

Panel levelPanel(const model::LevelSummary& summary, const AxisScale& values)
{
    Panel panel;
    panel.x = levelAxis(summary);
    panel.y = {nameWithUnit(summary.response, summary.responseUnit), values};
    for (std::size_t i = 0; i < summary.groups.size(); ++i) {
        const auto at = static_cast<double>(i);
        if (summary.groups[i].values.size() >= kFewestBoxed)
            addBox(panel, at, summary.groups[i].box);
        addRunDots(panel, at, summary, summary.groups[i]);
    }
    return panel;
}

std::vector<LegendEntry> levelLegend(const LevelSummaries& summaries)
{
    const auto hasDisturbed = [](const model::LevelSummary& summary) {
        return std::ranges::any_of(summary.groups, [](const model::LevelGroup& group) {
            return std::ranges::find(group.isDisturbed, true) != group.isDisturbed.end();
        });
    };
    using Sample = LegendEntry::Sample;
    std::vector<LegendEntry> legend{{Sample::LineInBand, LevelPlot::tr("median, quartiles")},
                                    {Sample::Dot, LevelPlot::tr("run"), DotRole::Observed}};
    if (std::ranges::any_of(summaries, hasDisturbed))
        legend.push_back({Sample::Dot, LevelPlot::tr("disturbed run"), DotRole::Faint});
    return legend;
}

} // namespace

LevelPlot::LevelPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Observed values by level"));
    clear(tr("No runs yet."));
}

void LevelPlot::setLevels(const LevelSummaries& summaries)
{
    LevelSummaries shown = summaries;
    std::erase_if(shown, [](const model::LevelSummary& summary) { return summary.groups.empty(); });
    if (shown.empty())
        return clear(tr("No run has a result of this response yet."));
    PanelBoard board;
    board.sharesY = true;
    board.legend = levelLegend(shown);
    const AxisScale values = valueScale(shown);
    for (const model::LevelSummary& summary : shown)
        board.panels.push_back(levelPanel(summary, values));
    board.table = typeset(report::makeLevelTable(shown));
    setBoard(std::move(board));
}

} // namespace quadric::widgets
