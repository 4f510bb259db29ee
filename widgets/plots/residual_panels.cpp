// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/residual_panels.h"

#include "core/model/fit/diagnostic_index.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"

#include <QCoreApplication>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Residuals", text);
}

QString residualName(bool isStudentized)
{
    return isStudentized ? tr("studentized residual") : tr("residual");
}

PanelDot runDot(double x, double residual, int run, const QString& xText, bool isStudentized)
{
    return {.x = x,
            .y = residual,
            .run = run,
            .tip = runTip(run, {xText, namedValue(residualName(isStudentized), residual)})};
}

/// The residual axis always has its zero.
PanelAxis residualAxis(std::vector<double> values, bool isStudentized)
{
    values.push_back(0.0);
    return {residualName(isStudentized), scaleOver(values, false, 0.08)};
}

void addZeroLine(Panel& panel)
{
    panel.lines.push_back(straightLine(panel.x.scale.low, 0.0, panel.x.scale.high, 0.0, LineRole::Reference));
}

} // namespace

Panel normalPanel(const model::NormalPlot& residuals)
{
    Panel panel;
    std::vector<double> values, scores;
    for (const model::ScorePoint& point : residuals.points) {
        values.push_back(point.value);
        scores.push_back(point.score);
        panel.dots.push_back(runDot(point.score, point.value, point.run,
                                    namedValue(tr("normal score"), point.score), residuals.isStudentized));
    }
    panel.title = tr("Normal plot");
    panel.x = {tr("normal score"), scaleOver(scores, false, 0.08)};
    panel.y = residualAxis(values, residuals.isStudentized);
    const auto at = [&residuals](double score) { return residuals.mean + residuals.sd * score; };
    const AxisScale& x = panel.x.scale;
    panel.lines.push_back(straightLine(x.low, at(x.low), x.high, at(x.high), LineRole::Reference));
    return panel;
}

Panel fittedPanel(const model::NormalPlot& residuals, const model::Fit& fit)
{
    Panel panel;
    std::vector<double> values, fitted;
    const model::DiagnosticIndex diagnostics(fit);
    for (const model::ScorePoint& point : residuals.points) {
        const model::Diagnostic* diagnostic = diagnostics.find(point.run);
        if (diagnostic == nullptr)
            continue;
        values.push_back(point.value);
        fitted.push_back(diagnostic->fitted);
        panel.dots.push_back(runDot(diagnostic->fitted, point.value, point.run,
                                    namedValue(tr("fitted"), diagnostic->fitted), residuals.isStudentized));
    }
    panel.title = tr("Against fitted values");
    panel.x = {tr("fitted value"), scaleOver(fitted, false, 0.06)};
    panel.y = residualAxis(values, residuals.isStudentized);
    addZeroLine(panel);
    return panel;
}

Panel histogramPanel(const model::Histogram& histogram, bool isStudentized)
{
    Panel panel;
    panel.title = tr("Histogram");
    int most = 1;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const double from = histogram.edges[i];
        const double to = histogram.edges[i + 1];
        most = std::max(most, histogram.counts[i]);
        panel.bars.push_back(
            {.left = from,
             .right = to,
             .high = static_cast<double>(histogram.counts[i]),
             .tip = tr("%1 runs from %2 to %3")
                        .arg(QString::number(histogram.counts[i]), formatNumber(from), formatNumber(to))});
    }
    panel.x = {residualName(isStudentized), scaleOver(histogram.edges, false, 0.02)};
    panel.y = {tr("runs"), {0.0, 1.08 * most}};
    return panel;
}

Panel orderPanel(const model::OrderPlot& residuals)
{
    Panel panel;
    std::vector<double> orders;
    for (std::size_t i = 0; i < residuals.runs.size(); ++i) {
        const double order = residuals.orders[i];
        orders.push_back(order);
        panel.dots.push_back(runDot(order, residuals.residuals[i], residuals.runs[i],
                                    tr("order %1").arg(residuals.orders[i]), residuals.isStudentized));
    }
    panel.title = tr("In run order");
    panel.x = {tr("run order"), scaleOver(orders, false, 0.04)};
    panel.y = residualAxis(residuals.residuals, residuals.isStudentized);
    addZeroLine(panel);
    if (residuals.driftLow && residuals.driftHigh)
        panel.lines.push_back(straightLine(orders.front(), *residuals.driftLow, orders.back(),
                                           *residuals.driftHigh, LineRole::Extrapolation, tr("drift")));
    return panel;
}

TextTable residualTable(const model::OrderPlot& residuals, const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Residuals");
    table.columns = {{tr("Order"), {}, true},
                     {tr("Run"), {}, true},
                     {tr("Fitted"), {}, true},
                     {tr("Residual"), tr("Observed less fitted."), true},
                     {tr("Studentized"), tr("The residual over its own standard error."), true},
                     {tr("Leverage"), tr("How much the run pulls the model towards itself, 0 to 1."), true},
                     {tr("Cook's distance"), tr("How far the model would move without the run."), true},
                     {QStringLiteral("DFFITS"), tr("How far the run's own fitted value would move."), true}};
    const auto number = [](const std::optional<double>& value) {
        return value ? formatNumber(*value) : QString();
    };
    const model::DiagnosticIndex diagnostics(fit);
    for (std::size_t i = 0; i < residuals.runs.size(); ++i)
        if (const model::Diagnostic* each = diagnostics.find(residuals.runs[i]))
            table.rows.push_back({QString::number(residuals.orders[i]), QString::number(each->run),
                                  formatNumber(each->fitted), formatNumber(each->residual),
                                  number(each->internallyStudentized), formatNumber(each->leverage),
                                  number(each->cooksDistance), number(each->dffits)});
    return table;
}

} // namespace quadric::widgets
