// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/pareto_chart.h"

#include "core/report/tables/model_tables.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/plots/pareto_data.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

ParetoChart::ParetoChart(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Pareto chart of effects"));
    clear(tr("No effects yet."));
}

void ParetoChart::setFit(const model::Fit& fit)
{
    if (!fit.isOk() || fit.effects.empty())
        return clear(fit.message.empty() ? tr("The model has no effects to show.")
                                         : QString::fromStdString(fit.message));
    PanelBoard board;
    board.title = modelScaleName(fit);
    board.panels.push_back(paretoPanel(fit));
    const std::vector<PanelBar>& bars = board.panels.front().bars;
    if (!std::ranges::all_of(bars, &PanelBar::isHatched))
        board.legend.push_back({LegendEntry::Sample::Bar, tr("positive")});
    if (std::ranges::any_of(bars, &PanelBar::isHatched))
        board.legend.push_back({LegendEntry::Sample::HatchedBar, tr("negative")});
    if (std::ranges::any_of(bars, [](const PanelBar& bar) { return bar.role == BarRole::Weak; }))
        board.legend.push_back(
            {.sample = LegendEntry::Sample::Bar, .text = tr("not significant"), .bar = BarRole::Weak});
    board.table = typeset(report::makeEffectTable(fit));
    setBoard(std::move(board));
}

} // namespace quadric::widgets
