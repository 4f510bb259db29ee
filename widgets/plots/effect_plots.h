// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/predict/curves.h"
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
    std::optional<QPointF> locateBar(const std::string& term) const;

signals:
    /// The term, named as in model::Effect, is to leave the model.
    void dropRequested(const QString& term);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    std::optional<std::size_t> barAt(QPointF position) const;

    std::vector<std::string> m_terms; ///< of the bars
};

/// Half-normal plot of the effects: noise lies on the line through the origin, real effects to the right of
/// it and beyond the limits of the Pareto chart.
class HalfNormalPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit HalfNormalPlot(QWidget* parent = nullptr);
    /// `unit`: of the effects; empty on a transformed scale.
    void setPoints(const model::HalfNormalPlot& points, const QString& response, const std::string& unit);
};

/// Interactions: a panel per pair of factors. Lines that run apart say that the effect of one factor depends
/// on the other.
class InteractionPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit InteractionPlot(QWidget* parent = nullptr);
    void setPairs(const std::vector<model::InteractionPlot>& pairs);
};

/// "batch = 32 images" → "32 images", where something else names the factor.
QString levelText(const model::InteractionLine& line);

/// The curves of these pairs in numbers.
TextTable interactionTable(const std::vector<model::InteractionPlot>& pairs);

/// Observed values at each level of one or more factors: a box plot with the runs as dots, a panel per
/// factor on a common response axis.
class LevelPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit LevelPlot(QWidget* parent = nullptr);
    void setLevels(const std::vector<model::LevelSummary>& summaries);
};

} // namespace quadric::widgets
