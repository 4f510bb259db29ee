// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/predicted_plot.h"

#include "core/report/tables/model_tables.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"

namespace quadric::widgets {

PredictedPlot::PredictedPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Predicted vs. observed"));
    clear(tr("No model yet."));
}

void PredictedPlot::setFit(const model::Fit& fit)
{
    if (!fit.isOk() || fit.diagnostics.empty())
        return clear(QString::fromStdString(fit.message));
    std::vector<double> values;
    Panel panel;
    for (const model::Diagnostic& each : fit.diagnostics) {
        values.insert(values.end(), {each.observed, each.fitted});
        panel.dots.push_back({.x = each.observed,
                              .y = each.fitted,
                              .run = each.run,
                              .tip = runTip(each.run, {namedValue(tr("observed"), each.observed),
                                                       namedValue(tr("predicted"), each.fitted)})});
    }
    const AxisScale scale = scaleOver(values, false, 0.05);
    panel.x = {tr("observed"), scale};
    panel.y = {tr("predicted"), scale};
    panel.lines.push_back(straightLine(scale.low, scale.low, scale.high, scale.high, LineRole::Reference));
    PanelBoard board;
    board.title = modelScaleName(fit);
    board.legend = {{LegendEntry::Sample::Dot, tr("run")},
                    {.sample = LegendEntry::Sample::Line,
                     .text = tr("predicted = observed"),
                     .line = LineRole::Reference}};
    board.panels.push_back(std::move(panel));
    board.table = typeset(report::makeCaseTable(fit));
    setBoard(std::move(board));
}

} // namespace quadric::widgets
