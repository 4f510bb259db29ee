// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/theme.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <QDateTime>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace quadric::widgets {

namespace {

constexpr std::size_t kMostListed = 3; ///< different values of one key that are written out

/// "gradient_bytes" → "gradient bytes".
QString words(QString key)
{
    return key.replace(QLatin1Char('_'), QLatin1Char(' '));
}

/// Every value that a key has in the runs, with how many runs have it.
using Counts = std::map<QString, int>;

/// Smallest and largest when all values are numbers.
std::optional<std::pair<double, double>> rangeOf(const Counts& counts)
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
        if (const auto range = rangeOf(counts))
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
