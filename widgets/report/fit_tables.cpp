// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/fit_tables.h"

#include "widgets/base/theme.h"
#include "widgets/text/cell_text.h"
#include "widgets/text/findings_list.h"
#include "widgets/text/statistics.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

namespace {

/// The scale on which the model lives, where it is not the response's own.
QString scaleNote(const model::Fit& fit)
{
    const std::string transform = study::nameOf(fit.transform);
    if (transform == "none")
        return {};
    return tr("Fitted to the transformed response (%1); coefficients and sums of squares are on that scale.")
        .arg(QString::fromStdString(transform));
}

} // namespace

QString effectLimitText(const model::EffectLimit& limit)
{
    if (limit.method == "t") {
        const QString bonferroni =
            limit.bonferroni
                ? tr("; for all terms at once (Bonferroni) %1").arg(formatNumber(*limit.bonferroni))
                : QString();
        return tr("Beyond |t| = %1 an effect is unlikely to be chance%2.")
            .arg(formatNumber(limit.value), bonferroni);
    }
    if (limit.method == "lenth")
        return tr("Lenth: margin of error %1, simultaneous margin of error %2, pseudo standard error %3.")
            .arg(formatNumber(limit.value), numberCell(limit.sme), numberCell(limit.pse));
    return {};
}

TextTable statisticsTable(const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Model");
    table.columns = {{tr("Statistic"), {}, false}, {tr("Value"), {}, true}, {tr("Meaning"), {}, false}};
    for (const Statistic& each : statisticsOf(fit))
        table.rows.push_back({each.name, each.value, each.tooltip});
    table.rows.push_back({tr("Residual df"), QString::number(fit.dfResidual),
                          tr("Degrees of freedom that are left to judge the error.")});
    if (fit.press)
        table.rows.push_back({tr("PRESS"), formatNumber(*fit.press),
                              tr("Sum of the squared errors when each run is predicted from the others.")});
    if (fit.aicc)
        table.rows.push_back(
            {tr("AICc"), formatNumber(*fit.aicc),
             tr("Misfit plus a charge for every coefficient; compares models of one response.")});
    table.note = scaleNote(fit);
    return table;
}

TextTable findingsTable(const QString& caption, const std::vector<report::Finding>& findings)
{
    TextTable table;
    table.caption = caption;
    table.columns = {{QString(), {}, false},
                     {tr("Topic"), {}, false},
                     {tr("Finding"), {}, false},
                     {tr("What to do"), {}, false}};
    for (const report::Finding& finding : findings)
        table.rows.push_back(
            {severityText(finding.severity), QString::fromStdString(finding.topic),
             QString::fromStdString(finding.sentence),
             finding.advice.empty() ? nothingText() : QString::fromStdString(finding.advice)});
    return table;
}

TextTable termTable(const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Terms, each given all others");
    table.columns = {{tr("Term"), {}, false}, {tr("df"), {}, true}, {tr("Sum of squares"), {}, true},
                     {tr("F"), {}, true},     {tr("p"), {}, true},  {tr("Share (%)"), {}, true}};
    for (const model::AnovaRow& row : fit.termRows)
        table.rows.push_back({termText(row.source), QString::number(row.df), formatNumber(row.ss),
                              ratioCell(row.f), probabilityCell(row.p), numberCell(row.contribution)});
    table.note = tr("Share: of all partial sums of squares and that of the residual.");
    return table;
}

TextTable actualCoefficientTable(const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Coefficients in actual units");
    table.columns = {{tr("Term"), {}, false}, {tr("Estimate"), {}, true}};
    bool hasLog2 = false;
    for (const study::Factor& factor : fit.factors)
        hasLog2 = hasLog2 || (factor.isNumeric() && factor.scale == study::Scale::Log2);
    for (const model::ActualCoefficient& each : fit.actualCoefficients)
        table.rows.push_back({termText(each.term), formatNumber(each.estimate)});
    if (hasLog2)
        table.note = tr("Factors on a log₂ scale enter with the log₂ of their value.");
    return table;
}

TextTable importanceTable(const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Importance of the factors");
    table.columns = {
        {tr("Factor"), {}, false}, {tr("Alone"), {}, true}, {tr("With its interactions"), {}, true}};
    for (const model::Importance& each : fit.importance)
        table.rows.push_back({nameText(each.factor), formatNumber(each.main), formatNumber(each.total)});
    table.note = tr("Share of the fitted response's variance over the region (Sobol).");
    return table;
}

TextTable diagnosticsTable(const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Runs as the model sees them");
    table.columns = {{tr("Run"), {}, true},
                     {tr("Order"), {}, true},
                     {tr("Observed"), {}, true},
                     {tr("Fitted"), {}, true},
                     {tr("Residual"), {}, true},
                     {tr("Leverage"), {}, true},
                     {tr("Studentised internally"), {}, true},
                     {tr("Studentised externally"), {}, true},
                     {tr("Cook's distance"), {}, true},
                     {tr("DFFITS"), {}, true}};
    for (const model::Diagnostic& each : fit.diagnostics)
        table.rows.push_back({QString::number(each.run), QString::number(each.order),
                              formatNumber(each.observed), formatNumber(each.fitted),
                              formatNumber(each.residual), formatNumber(each.leverage),
                              numberCell(each.internallyStudentized), numberCell(each.externallyStudentized),
                              numberCell(each.cooksDistance), numberCell(each.dffits)});
    table.note = scaleNote(fit);
    return table;
}

TextTable residualCheckTable(const model::Fit& fit)
{
    const model::ResidualChecks& checks = fit.residualChecks;
    TextTable table;
    table.caption = tr("What the residuals say");
    table.columns = {
        {tr("Check"), {}, false}, {tr("Value"), {}, true}, {tr("p"), {}, true}, {tr("Meaning"), {}, false}};
    if (checks.durbinWatson)
        table.rows.push_back({tr("Durbin–Watson"), formatNumber(*checks.durbinWatson),
                              probabilityCell(checks.durbinWatsonP),
                              tr("Near 2: neighbouring runs err independently.")});
    if (checks.driftSlope)
        table.rows.push_back({tr("Drift per run"), formatNumber(*checks.driftSlope),
                              probabilityCell(checks.driftP),
                              tr("Small p: the response changed while the runs were made.")});
    if (checks.shapiroWilk)
        table.rows.push_back({tr("Shapiro–Wilk"), formatNumber(*checks.shapiroWilk),
                              probabilityCell(checks.normalityP),
                              tr("Small p: the residuals are not normally distributed.")});
    return table;
}

} // namespace quadric::widgets
