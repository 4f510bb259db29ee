// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/main_effects_plot.h"

#include "widgets/base/theme.h"
#include "widgets/plots/base/curve_reading.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

using EffectCurves = std::vector<model::EffectCurve>;

Panel panelOf(const model::EffectCurve& curve, const AxisScale& response)
{
    Panel panel;
    panel.x = factorAxis(curve);
    panel.y = {nameWithUnit(curve.response, curve.responseUnit), response};
    addCurve(panel, curve);
    panel.reading = [curve](double x, double) { return describeCurve(curve, x); };
    for (std::size_t i = 0; i < std::min(curve.adjustedAt.size(), curve.adjustedMean.size()); ++i)
        panel.dots.push_back({.x = curve.adjustedAt[i],
                              .y = curve.adjustedMean[i],
                              .role = DotRole::Mean,
                              .tip = adjustedTip(curve, i)});
    return panel;
}

std::vector<LegendEntry> legendOf(const EffectCurves& curves)
{
    std::vector<LegendEntry> legend;
    const bool hasBand = std::ranges::any_of(curves, [](const auto& curve) { return !curve.low.empty(); });
    using Sample = LegendEntry::Sample;
    legend.push_back(hasBand ? LegendEntry{Sample::LineInBand, MainEffectsPlot::tr("fit, 95 % band")}
                             : LegendEntry{Sample::Line, MainEffectsPlot::tr("fit")});
    if (std::ranges::any_of(curves, [](const auto& curve) { return !curve.adjustedMean.empty(); }))
        legend.push_back({Sample::Dot, MainEffectsPlot::tr("runs, adjusted"), DotRole::Mean});
    addExtrapolationEntry(legend, curves);
    return legend;
}

TextTable tableOf(const EffectCurves& curves)
{
    TextTable table;
    table.caption = MainEffectsPlot::tr("Main effects");
    table.columns = curveColumns();
    table.columns.insert(table.columns.begin(), {MainEffectsPlot::tr("Factor"), {}, false});
    for (const model::EffectCurve& curve : curves)
        addRows(table, curve, {nameWithUnit(curve.factor, curve.unit)});
    return table;
}

} // namespace

MainEffectsPlot::MainEffectsPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Main effects"));
    clear(tr("No effects yet."));
}

void MainEffectsPlot::setCurves(const std::vector<model::EffectCurve>& curves)
{
    EffectCurves usable;
    std::ranges::copy_if(curves, std::back_inserter(usable),
                         [](const model::EffectCurve& curve) { return isUsable(curve); });
    if (usable.empty())
        return clear(tr("The model has no factors to show."));
    PanelBoard board;
    board.title = nameWithUnit(usable.front().response, usable.front().responseUnit);
    board.sharesY = true;
    board.legend = legendOf(usable);
    const AxisScale response = responseScale(usable);
    for (const model::EffectCurve& curve : usable)
        board.panels.push_back(panelOf(curve, response));
    board.table = tableOf(usable);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
