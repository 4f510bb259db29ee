// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/pareto_chart.h"

#include "core/model/fit/effect_ranking.h"
#include "core/report/tables/model_tables.h"
#include "widgets/plots/base/plot_menu.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/plots/pareto_data.h"
#include "widgets/text/wording.h"

#include <QContextMenuEvent>
#include <QMenu>

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
    m_terms.clear();
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
    for (const model::RankedEffect& ranked : model::rankEffects(fit))
        m_terms.push_back(fit.effects[ranked.index].term);
    setBoard(std::move(board));
}

std::optional<QPointF> ParetoChart::barOf(const std::string& term) const
{
    const auto found = std::ranges::find(m_terms, term);
    const PanelLayout layout = layoutOnScreen();
    if (found == m_terms.end() || layout.frames().empty())
        return {};
    const PanelBar& bar = board().panels.front().bars[static_cast<std::size_t>(found - m_terms.begin())];
    const QPointF middle =
        layout.frames().front().at((bar.left + bar.right) / 2.0, (bar.low + bar.high) / 2.0);
    return layout.frames().front().shows(middle) ? std::optional(middle) : std::nullopt;
}

/// The row under a position, as far as the panel is wide.
std::optional<std::size_t> ParetoChart::barAt(QPointF position) const
{
    const PanelLayout layout = layoutOnScreen();
    if (!layout.panelAt(position))
        return {};
    const PanelFrame& frame = layout.frames().front();
    const double y = frame.yScale.actualAt(frame.shareAt(position).y());
    const std::vector<PanelBar>& bars = board().panels.front().bars;
    const auto bar =
        std::ranges::find_if(bars, [y](const PanelBar& each) { return each.low <= y && y <= each.high; });
    return bar == bars.end() ? std::nullopt : std::optional(static_cast<std::size_t>(bar - bars.begin()));
}

void ParetoChart::contextMenuEvent(QContextMenuEvent* event)
{
    const std::optional<std::size_t> bar = barAt(event->pos());
    if (!bar)
        return PanelPlot::contextMenuEvent(event);
    const QString term = QString::fromStdString(m_terms[*bar]);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* drop = menu->addAction(tr("&Drop %1 from the model").arg(termText(m_terms[*bar])), this,
                                    [this, term] { emit dropRequested(term); });
    drop->setObjectName(QStringLiteral("dropTerm"));
    menu->addSeparator();
    addPlotActions(*menu, *this);
    menu->popup(event->globalPos());
}

} // namespace quadric::widgets
