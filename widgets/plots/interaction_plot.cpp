// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/interaction_plot.h"

#include "widgets/plots/base/curve_reading.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace quadric::widgets {

namespace {

double endOf(const model::InteractionLine& line)
{
    return line.curve.mean.empty() ? 0.0 : line.curve.mean.back();
}

/// Adjusted means of the runs at this level of the second factor.
void addMeans(Panel& panel, const model::InteractionLine& line, int category)
{
    for (std::size_t i = 0; i < line.curve.adjustedAt.size(); ++i)
        panel.dots.push_back({.x = line.curve.adjustedAt[i],
                              .y = line.curve.adjustedMean[i],
                              .role = DotRole::Mean,
                              .tip = nameText(line.level) + QLatin1Char('\n') + adjustedTip(line.curve, i),
                              .category = category});
}

/// What the line of a pair that passes nearest to a place says there.
QString describeNearest(const model::InteractionPlot& pair, double x, double y)
{
    const auto nearest = std::ranges::min_element(pair.lines, {}, [x, y](const model::InteractionLine& line) {
        return std::abs(readCurve(line.curve, x).mean - y);
    });
    return nameText(nearest->level) + QLatin1Char('\n') + describeCurve(nearest->curve, x);
}

/// The curves of a pair differ by color and dashes and carry the value of the second factor at their end; of
/// one that is alone the legend says it.
Panel panelOf(const model::InteractionPlot& pair, const AxisScale& response, bool isAlone)
{
    Panel panel;
    const model::EffectCurve& first = pair.lines.front().curve;
    panel.x = factorAxis(first);
    panel.y = {nameWithUnit(first.response, first.responseUnit), response};
    panel.title = nameText(first.factor) + QStringLiteral(" × ") + nameText(pair.by);
    const double lowest = endOf(*std::ranges::min_element(pair.lines, {}, endOf));
    for (std::size_t i = 0; i < pair.lines.size(); ++i) {
        const model::InteractionLine& line = pair.lines[i];
        addCurve(panel, line.curve, static_cast<int>(i));
        if (!isAlone) {
            panel.lines.back().label = levelText(line);
            panel.lines.back().isLabelBelow = endOf(line) <= lowest;
        }
        addMeans(panel, line, static_cast<int>(i));
    }
    panel.reading = [pair](double x, double y) { return describeNearest(pair, x, y); };
    return panel;
}

std::vector<LegendEntry> legendOf(const model::InteractionPlot& pair)
{
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < pair.lines.size(); ++i)
        legend.push_back({LegendEntry::Sample::Line,
                          nameText(pair.by) + QLatin1Char(' ') + levelText(pair.lines[i]), DotRole::Observed,
                          LineRole::Fit, static_cast<int>(i)});
    return legend;
}

std::vector<LegendEntry> interactionLegend(const std::vector<model::EffectCurve>& curves)
{
    using Sample = LegendEntry::Sample;
    std::vector<LegendEntry> legend;
    if (std::ranges::any_of(curves, [](const auto& curve) { return !curve.low.empty(); }))
        legend.push_back(
            {.sample = Sample::LineInBand, .text = InteractionPlot::tr("fit, 95 % band"), .category = 0});
    if (std::ranges::any_of(curves, [](const auto& curve) { return !curve.adjustedMean.empty(); }))
        legend.push_back({.sample = Sample::Dot,
                          .text = InteractionPlot::tr("runs, adjusted"),
                          .dot = DotRole::Mean,
                          .category = 0});
    return legend;
}

} // namespace

QString levelText(const model::InteractionLine& line)
{
    return nameText(line.level).section(QStringLiteral(" = "), -1);
}

TextTable interactionTable(const std::vector<model::InteractionPlot>& pairs)
{
    TextTable table;
    table.caption = InteractionPlot::tr("Interactions");
    table.columns = curveColumns();
    table.columns.insert(table.columns.begin(),
                         {{InteractionPlot::tr("Along"), {}, false}, {InteractionPlot::tr("At"), {}, false}});
    for (const model::InteractionPlot& pair : pairs)
        for (const model::InteractionLine& line : pair.lines)
            addRows(table, line.curve,
                    {nameWithUnit(line.curve.factor, line.curve.unit), nameText(line.level)});
    return table;
}

InteractionPlot::InteractionPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Interactions"));
    clear(tr("No effects yet."));
}

void InteractionPlot::setPairs(const std::vector<model::InteractionPlot>& pairs)
{
    std::vector<model::EffectCurve> all;
    for (const model::InteractionPlot& pair : pairs)
        for (const model::InteractionLine& line : pair.lines)
            all.push_back(line.curve);
    if (all.empty())
        return clear(tr("Interactions need two factors."));
    PanelBoard board;
    board.title = nameWithUnit(all.front().response, all.front().responseUnit);
    board.legend = interactionLegend(all);
    if (pairs.size() == 1)
        std::ranges::copy(legendOf(pairs.front()), std::inserter(board.legend, board.legend.begin()));
    board.sharesY = true;
    const AxisScale response = responseScale(all);
    for (const model::InteractionPlot& pair : pairs)
        board.panels.push_back(panelOf(pair, response, pairs.size() == 1));
    board.table = interactionTable(pairs);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
