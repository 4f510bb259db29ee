// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/predicted_plot.h"

#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"

namespace quadric::widgets {

namespace {

TextTable tableOf(const model::Fit& fit)
{
    TextTable table;
    table.caption = PredictedPlot::tr("Predicted and observed");
    table.columns = {{PredictedPlot::tr("Run"), {}, true},
                     {PredictedPlot::tr("Observed"), {}, true},
                     {PredictedPlot::tr("Predicted"), {}, true},
                     {PredictedPlot::tr("Residual"), PredictedPlot::tr("Observed less predicted."), true}};
    for (const model::Diagnostic& each : fit.diagnostics)
        table.rows.push_back({QString::number(each.run), residualNumber(fit, each.observed),
                              residualNumber(fit, each.fitted), residualNumber(fit, each.residual)});
    return table;
}

} // namespace

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
    board.table = tableOf(fit);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
