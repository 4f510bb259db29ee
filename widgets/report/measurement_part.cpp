// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/measurement_findings.h"
#include "core/study/measurement_quality.h"
#include "widgets/base/theme.h"
#include "widgets/report/fit_tables.h"
#include "widgets/report/report_parts.h"
#include "widgets/text/cell_text.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

namespace {

QString orNothing(const std::string& text)
{
    return text.empty() ? nothingText() : QString::fromStdString(text);
}

TextTable spreadTable(const study::MeasurementQuality& quality)
{
    TextTable table;
    table.caption = tr("Spread inside the runs");
    table.columns = {{tr("Response"), {}, false},  {tr("Runs"), {}, true},
                     {tr("Median (%)"), {}, true}, {tr("Largest (%)"), {}, true},
                     {tr("In run"), {}, true},     {tr("The spread is"), {}, false}};
    for (const study::ResponseSpread& each : quality.spreads)
        table.rows.push_back({nameText(each.response), QString::number(each.runs), formatNumber(each.median),
                              formatNumber(each.largest), QString::number(each.largestRun),
                              orNothing(each.meaning)});
    return table;
}

TextTable driftTable(const std::vector<model::Fit>& fits)
{
    TextTable table;
    table.caption = tr("Drift between the runs");
    table.columns = {{tr("Response"), {}, false},
                     {tr("Change per run"), {}, true},
                     {tr("t"), {}, true},
                     {tr("p"), {}, true}};
    for (const model::Fit& fit : fits) {
        const model::ResidualChecks& checks = fit.residualChecks;
        if (fit.isOk() && checks.driftSlope)
            table.rows.push_back({nameText(fit.response), formatNumber(*checks.driftSlope),
                                  numberCell(checks.driftT), probabilityCell(checks.driftP)});
    }
    table.note =
        tr("The run order as one more term of the model, on the model's scale; a small p means that the "
           "response changed while the runs were made.");
    return table;
}

TextTable disturbedTable(const study::MeasurementQuality& quality)
{
    TextTable table;
    table.caption = tr("Runs that were disturbed");
    table.columns = {{tr("Run"), {}, true}, {tr("Why"), {}, false}};
    for (const study::DisturbedRun& run : quality.disturbed)
        table.rows.push_back({QString::number(run.run), orNothing(run.reason)});
    return table;
}

QString throttlingText(const study::MeasurementQuality& quality)
{
    return tr("Devices held themselves back in %1 of %2 runs, at most for %3 % of the time (run %4). At its "
              "power limit a device is in its normal state under load: that alone makes no run disturbed.")
        .arg(QString::number(quality.throttling.runs), QString::number(quality.done),
             formatNumber(quality.throttling.largest), QString::number(quality.throttling.largestRun));
}

TextTable lostTable(const study::MeasurementQuality& quality)
{
    TextTable table;
    table.caption = tr("Runs without a result that counts");
    table.columns = {{tr("Run"), {}, true}, {tr("What happened"), {}, false}, {tr("Why"), {}, false}};
    for (const study::LostRun& run : quality.lost)
        table.rows.push_back({QString::number(run.run),
                              run.status == study::RunStatus::Excluded ? tr("excluded")
                              : run.kind.empty()                       ? tr("failed")
                                                                       : QString::fromStdString(run.kind),
                              orNothing(run.reason)});
    return table;
}

} // namespace

void addMeasurement(BlockList& blocks, const ReportSource& source)
{
    const study::MeasurementQuality quality = study::measurementQuality(source.study());
    blocks.heading(tr("How well it was measured"));
    if (quality.done == 0)
        return blocks.paragraph(tr("No run is done yet."));
    if (quality.spreads.empty())
        blocks.paragraph(tr("The runs do not say how far their samples scatter."));
    if (quality.lost.empty())
        blocks.paragraph(tr("No run failed or was excluded."));
    if (quality.disturbed.empty())
        blocks.paragraph(tr("No run reports that it was disturbed."));
    if (quality.throttling.runs > 0)
        blocks.paragraph(throttlingText(quality));
    blocks.table(
        findingsTable(tr("Findings"), report::findInMeasurement(source.study(), source.context.fits)));
    blocks.table(spreadTable(quality));
    blocks.table(driftTable(source.context.fits));
    blocks.table(disturbedTable(quality));
    blocks.table(lostTable(quality));
}

} // namespace quadric::widgets
