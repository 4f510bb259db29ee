// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "widgets/plots/panel/panel_plot.h"

#include <optional>
#include <string>
#include <vector>

namespace quadric::widgets {

/// Pareto chart of standardized effects: bars of |t| (or of |effect| with Lenth's limits), largest on top,
/// positive solid, negative hatched, lines at the limits with their names. The context menu of a bar offers
/// to drop its term.
class ParetoChart : public PanelPlot {
    Q_OBJECT

public:
    explicit ParetoChart(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);

    /// Where the middle of the bar of a term is on the screen; empty where it is not seen.
    std::optional<QPointF> barOf(const std::string& term) const;

signals:
    /// The term, named as in model::Effect, is to leave the model.
    void dropRequested(const QString& term);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    std::optional<std::size_t> barAt(QPointF position) const;

    std::vector<std::string> m_terms; ///< of the bars
};

} // namespace quadric::widgets
