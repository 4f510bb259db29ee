// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/residual_plots.h"

#include "core/report/findings/fit_findings.h"
#include "core/report/tables/model_tables.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/plots/residual_panels.h"

namespace quadric::widgets {

namespace {

/// Why a fit has no residuals to look at; empty when it has.
QString reasonAgainst(const model::Fit& fit)
{
    if (!fit.isOk())
        return QString::fromStdString(fit.message);
    if (fit.dfResidual == 0)
        return ResidualPlot::tr(
            "The model goes through every run exactly: no residuals are left to look at.");
    return {};
}

std::vector<LegendEntry> legendOf(const ResidualScale& scale, const model::OrderPlot& order)
{
    std::vector<LegendEntry> legend = residualLegend(scale);
    if (order.driftLow)
        legend.push_back(driftEntry());
    return legend;
}

QString driftText(const model::Fit& fit)
{
    const std::optional<report::Finding> finding = report::driftFinding(fit);
    return finding ? QString::fromStdString(finding->sentence)
                   : RunOrderPlot::tr("Drift cannot be judged here.");
}

} // namespace

ResidualPlot::ResidualPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Residual plots"));
    clear(tr("No model yet."));
}

void ResidualPlot::setFit(const model::Fit& fit)
{
    const QString reason = reasonAgainst(fit);
    if (!reason.isEmpty())
        return clear(reason);
    const model::NormalPlot normal = model::normalPlot(fit);
    const model::OrderPlot order = model::orderPlot(fit);
    PanelBoard board;
    const ResidualScale scale = residualScale(fit, order.isStudentized);
    board.title = modelScaleName(fit);
    board.columns = 2;
    board.panels = {normalPanel(normal, scale), fittedPanel(normal, fit, scale), histogramPanel(order),
                    orderPanel(order, scale)};
    board.legend = legendOf(scale, order);
    board.table = typeset(report::makeCaseTable(fit));
    setBoard(std::move(board));
}

RunOrderPlot::RunOrderPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Residuals in run order"));
    clear(tr("No model yet."));
}

void RunOrderPlot::setFit(const model::Fit& fit)
{
    const QString reason = reasonAgainst(fit);
    if (!reason.isEmpty())
        return clear(reason);
    const model::OrderPlot order = model::orderPlot(fit);
    PanelBoard board;
    board.title = modelScaleName(fit);
    const ResidualScale scale = residualScale(fit, order.isStudentized);
    board.panels = {orderPanel(order, scale)};
    board.legend = legendOf(scale, order);
    board.panels.front().title.clear();
    board.panels.front().note = driftText(fit);
    board.table = typeset(report::makeCaseTable(fit));
    setBoard(std::move(board));
}

} // namespace quadric::widgets
