// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/measurement_findings.h"
#include "core/report/tables/measurement_tables.h"
#include "core/study/measurement_quality.h"
#include "widgets/base/theme.h"
#include "widgets/report/document/findings_table.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/translate.h"

namespace quadric::widgets {

namespace {

QString throttlingText(const study::MeasurementQuality& quality)
{
    return tr("Devices held themselves back in %1 of %2 runs, at most for %3 % of the time (run %4). At its "
              "power limit a device is in its normal state under load: that alone makes no run disturbed.")
        .arg(QString::number(quality.throttling.runs), QString::number(quality.done),
             formatNumber(quality.throttling.largest), QString::number(quality.throttling.largestRun));
}

void addRemarks(BlockList& blocks, const study::MeasurementQuality& quality)
{
    if (quality.spreads.empty())
        blocks.paragraph(tr("The runs do not say how far their samples scatter."));
    if (quality.lost.empty())
        blocks.paragraph(tr("No run failed or was excluded."));
    if (quality.disturbed.empty())
        blocks.paragraph(tr("No run reports that it was disturbed."));
    if (quality.throttling.runs > 0)
        blocks.paragraph(throttlingText(quality));
}

} // namespace

void addMeasurement(BlockList& blocks, const ReportSource& source)
{
    const study::MeasurementQuality quality = study::measurementQuality(source.study());
    blocks.heading(tr("Data quality"));
    if (quality.done == 0)
        return blocks.paragraph(tr("No run is done yet."));
    if (source.options.extent == Extent::Full)
        addRemarks(blocks, quality);
    blocks.table(
        findingsTable(tr("Findings"), report::findInMeasurement(source.study(), source.context.fits)));
    if (source.options.extent == Extent::Full) {
        blocks.table(report::makeSpreadTable(quality));
        blocks.table(report::makeDriftTable(source.context.fits));
    }
    blocks.table(report::makeDisturbedTable(quality));
    blocks.table(report::makeLostTable(quality));
}

} // namespace quadric::widgets
