// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/measurement_findings.h"
#include "core/report/tables/run_tables.h"
#include "core/report/tables/study_tables.h"
#include "core/study/run_records.h"
#include "widgets/base/theme.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/design/quality/quality_tables.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/wording.h"

#include <QDateTime>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace quadric::widgets {

namespace {

constexpr double kPictureHeight = 280.0;
constexpr double kTallestMap = 620.0;
constexpr double kPixelsPerTerm = 26.0; ///< of the map of correlations: room for a name
constexpr double kAroundMap = 60.0;     ///< its legend and margins
constexpr double kLowestMap = 0.85;     ///< below that names have no room

TextTable qualityTable(const design::Evaluation& evaluation)
{
    TextTable table;
    table.caption = tr("Quality of the design");
    table.columns = {{tr("Measure"), {}, false}, {tr("Value"), {}, false}, {tr("Meaning"), {}, false}};
    for (const QualityFact& fact : qualityFacts(evaluation))
        table.rows.push_back({fact.name, fact.value, fact.explanation});
    return table;
}

TextTable captioned(TextTable table, const QString& caption)
{
    table.caption = caption;
    return table;
}

void addPictures(BlockList& blocks, const ReportSource& source, const design::Evaluation& evaluation)
{
    blocks.figure(source.titled({"design-cube", "design-space"}, kPictureHeight,
                                QString::fromStdString(evaluation.region)));
    if (source.options.extent != Extent::Full)
        return;
    FigureBlock power = source.titled(
        {"power"}, 0.0, tr("The probability of detecting an effect of each term"), FigureBlock::kFixed);
    power.height = std::clamp(power.plots.front()->sizeHint().height() + 20.0, kPictureHeight, kTallestMap);
    blocks.figure(power);
    const double terms = static_cast<double>(evaluation.correlation.rows.size());
    blocks.figure(source.titled(
        {"overlap"}, std::clamp(kPixelsPerTerm * terms + kAroundMap, kPictureHeight, kTallestMap),
        tr("Correlations between terms: 0 is independent, ±1 cannot be separated"), kLowestMap));
}

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

constexpr std::size_t kMostListed = 3; ///< different values of one key that are written out

/// "gradient_bytes" → "gradient bytes".
QString words(QString key)
{
    return key.replace(QLatin1Char('_'), QLatin1Char(' '));
}

/// Every value that a key has in the runs, with how many runs have it.
using Counts = std::map<QString, int>;

/// Smallest and largest when all values are numbers.
std::optional<std::pair<double, double>> findNumericRange(const Counts& counts)
{
    std::pair<double, double> range{std::numeric_limits<double>::max(),
                                    std::numeric_limits<double>::lowest()};
    for (const auto& [text, count] : counts) {
        bool isNumber = false;
        const double value = text.toDouble(&isNumber);
        if (!isNumber)
            return std::nullopt;
        range = {std::min(range.first, value), std::max(range.second, value)};
    }
    return range;
}

QString listed(const Counts& counts, int runs)
{
    if (counts.size() == 1 && counts.begin()->second == runs)
        return counts.begin()->first;
    if (counts.size() > kMostListed) {
        if (const auto range = findNumericRange(counts))
            return tr("%1 to %2").arg(formatNumber(range->first), formatNumber(range->second));
        return tr("%1 different values, one of them %2").arg(counts.size()).arg(counts.begin()->first);
    }
    QStringList parts;
    for (const auto& [value, count] : counts)
        parts << tr("%1 (%2 of %3 runs)").arg(value).arg(count).arg(runs);
    return parts.join(QStringLiteral("; "));
}

void addRunDetails(const study::Study& study, TextTable& table)
{
    std::map<std::string, Counts> details;
    Counts sources;
    int runs = 0;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done)
            continue;
        ++runs;
        ++sources[sourceText(run.provenance.source)];
        for (const auto& [key, value] : study::factsInWords(run.provenance))
            ++details[key][QString::fromStdString(value)];
    }
    if (runs > 0)
        table.rows.push_back({tr("Results"), listed(sources, runs)});
    for (const auto& [key, counts] : details)
        table.rows.push_back({words(QString::fromStdString(key)), listed(counts, runs)});
}

void addBenchmark(const study::Study& study, TextTable& table)
{
    const study::Benchmark& benchmark = study.benchmark;
    table.rows.push_back({tr("Workload"), QString::fromStdString(benchmark.workload)});
    if (benchmark.workload == "builtin")
        table.rows.push_back({tr("Engine"), QString::fromStdString(benchmark.engine)});
    QStringList command;
    for (const std::string& argument : benchmark.argv)
        command << QString::fromStdString(argument);
    if (!command.isEmpty())
        table.rows.push_back({tr("Command"), command.join(QLatin1Char(' '))});
    QStringList options;
    for (const auto& [name, value] : benchmark.options)
        options << nameText(name) + QStringLiteral(" ") + QString::fromStdString(study::toText(value));
    if (!options.isEmpty())
        table.rows.push_back({tr("Options"), options.join(QStringLiteral(", "))});
}

} // namespace

void addDesign(BlockList& blocks, const ReportSource& source)
{
    const study::Study& study = source.study();
    blocks.heading(tr("Design"));
    if (study.runs.empty())
        return blocks.paragraph(tr("This study has no runs yet."));
    const bool isFull = source.options.extent == Extent::Full;
    blocks.paragraph(designWords(study));
    if (isFull)
        blocks.paragraph(designPurpose(study.design.type));
    const Judgment judgment = judge(study, {});
    if (!judgment.evaluation)
        return blocks.paragraph(judgment.reason);
    for (const QString& remark : qualityRemarks(*judgment.evaluation))
        blocks.paragraph(remark, ParagraphBlock::Kind::Bullet);
    if (isFull) {
        blocks.table(qualityTable(*judgment.evaluation));
        blocks.table(report::makeCheckTable(*judgment.evaluation));
    }
    blocks.paragraph(fractionWords(*judgment.evaluation));
    if (isFull)
        blocks.table(captioned(aliasTable(*judgment.evaluation), tr("Alias structure")));
    if (source.shows(Section::Plots))
        addPictures(blocks, source, *judgment.evaluation);
}

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

void addProvenance(BlockList& blocks, const ReportSource& source)
{
    TextTable table;
    table.columns = {{tr("What"), {}, false}, {tr("Value"), {}, false}};
    addRunDetails(source.study(), table);
    addBenchmark(source.study(), table);
    table.rows.push_back({tr("Study document, SHA-256"), source.documentHash});
    table.rows.push_back({tr("Report written"), QDateTime::currentDateTime().toString(Qt::ISODate)});
    table.rows.push_back(
        {tr("Written by"), QStringLiteral("Quadric " QUADRIC_VERSION ", Qt %1").arg(qVersion())});
    blocks.heading(tr("Provenance"));
    blocks.table(table);
}

} // namespace quadric::widgets
