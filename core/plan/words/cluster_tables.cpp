// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/cluster_tables.h"

#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/findings/answer_findings.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

constexpr double kHourSeconds = 3600.0;

text::TimeUnit unitFor(const std::vector<QueueAnswer>& systems)
{
    double largest = 0.0;
    for (const QueueAnswer& system : systems)
        largest = std::max(largest, system.job.mean);
    return text::findTimeUnit(largest);
}

report::Cell boundedCell(const Estimate& estimate, const text::TimeUnit& unit)
{
    return report::Bounded{estimate.value / unit.seconds, estimate.low / unit.seconds,
                           estimate.high / unit.seconds};
}

report::Cell timeCell(const std::optional<double>& seconds, const text::TimeUnit& unit)
{
    return seconds ? report::makeCell(*seconds / unit.seconds) : report::Cell();
}

std::vector<report::Cell> queueRow(const QueueAnswer& system, const text::TimeUnit& unit)
{
    std::vector<report::Cell> row{system.name, system.machines, timeCell(system.job.mean, unit),
                                  text::formatPercent(system.utilization)};
    if (const auto& queue = system.simulated)
        row.insert(row.end(), {boundedCell(queue->wait, unit), boundedCell(queue->response, unit),
                               timeCell(queue->waitQuantile, unit), timeCell(queue->responseQuantile, unit)});
    else
        row.insert(row.end(), {std::string("overloaded"), {}, {}, {}});
    row.push_back(timeCell(system.formulaWait, unit));
    row.push_back(report::makeCell(system.job.squaredVariation, report::Digits::Ratio));
    return row;
}

std::string verdictText(const VariabilityCell& cell)
{
    if (cell.faster == Faster::Neither)
        return cell.difference ? "no difference" : "both overloaded";
    const bool isFirst = cell.faster == Faster::First;
    const std::string whole = isFirst ? cell.first.name : cell.second.name;
    const std::string name = whole.substr(0, whole.find(" (")); // the other table says how fast it is
    if (!cell.difference)
        return name + ": the other one is overloaded";
    const double slower = (isFirst ? cell.second : cell.first).simulated->response.value;
    return name + ": " + text::formatPercent(std::abs(cell.difference->value) / slower) + " faster";
}

/// Speeds over links come from round figures: a hundredth of them is what they can tell.
constexpr double kLinkDigits = 0.01;

void addLinkColumns(report::Table& table)
{
    table.columns.push_back({.title = "over links", .tooltip = "Nothing of the exchange is hidden."});
    table.columns.push_back(
        {.title = "with overlap",
         .tooltip = "Two thirds of the computing hide the exchange (the backward pass)."});
}

void addLinkCells(const LinkSpeed& speed, std::vector<report::Cell>& cells)
{
    cells.push_back(report::makeEstimateCell(speed.apart, kLinkDigits * speed.apart));
    cells.push_back(report::makeEstimateCell(speed.overlapped, kLinkDigits * speed.overlapped));
}

std::string baselineWords(const SpeedUp& speedUp)
{
    const std::string count = study::toText(speedUp.baseline);
    return "Speeds are relative to " + count + (speedUp.baseline == 1.0 ? " GPU" : " GPUs") +
           " at the same other settings. ";
}

std::string sourceWords(const SpeedUp& speedUp)
{
    const std::string level = text::formatPercent(speedUp.confidence, 0);
    return speedUp.isModeled
               ? "Values and " + level + " intervals are of the model at the settings that are held."
               : "Values are geometric means of the runs, whatever their other settings, with " + level +
                     " t intervals; of a single run the interval is that inside the run.";
}

report::Cell rangeCell(const std::optional<model::Interval>& interval, double scale)
{
    return interval ? report::Cell(report::Range{interval->low * scale, interval->high * scale})
                    : report::Cell(std::string());
}

} // namespace

report::Table makeQueueTable(const std::vector<QueueAnswer>& systems)
{
    const text::TimeUnit unit = unitFor(systems);
    report::Table table{
        .columns = {
            {.title = "system", .kind = report::ColumnKind::Text},
            {.title = "machines"},
            {.title = "job", .tooltip = "Mean time of a job on one of these machines.", .unit = unit.name},
            {.title = "utilization", .tooltip = "Share of the machines' time that is used."},
            {.title = "mean wait", .tooltip = "Simulated, with its 95 % interval.", .unit = unit.name},
            {.title = "mean response", .tooltip = "Waiting and being served together.", .unit = unit.name},
            {.title = "95 % wait", .tooltip = "95 % of the jobs wait at most so long.", .unit = unit.name},
            {.title = "95 % response", .tooltip = "95 % of the jobs are done by then.", .unit = unit.name},
            {.title = "wait, formula",
             .tooltip = "Pollaczek–Khinchine for one machine, exact; Lee–Longton for several, near.",
             .unit = unit.name},
            {.title = "C²", .tooltip = "Variance of the times of the jobs over their squared mean."}}};
    for (const QueueAnswer& system : systems)
        table.rows.push_back(queueRow(system, unit));
    return table;
}

report::Table makeVariabilityTable(const std::vector<VariabilityRow>& rows)
{
    if (rows.empty())
        return {};
    report::Table table{.columns = {{.title = "jobs", .kind = report::ColumnKind::Text}, {.title = "C²"}}};
    for (const VariabilityCell& cell : rows.front().cells)
        table.columns.push_back(
            {.title = "load " + text::formatPercent(cell.load), .kind = report::ColumnKind::Text});
    for (const VariabilityRow& row : rows)
        table.rows.push_back({row.variability,
                              report::makeCell(row.job.squaredVariation, report::Digits::Ratio),
                              verdictText(row.cells[0]), verdictText(row.cells[1])});
    return table;
}

std::string_view describePublishedQueues()
{
    return "Schouten & Mukherjee expect of one fast and three slow machines, where jobs differ little: no "
           "difference "
           "at low load, one fast at high load; where they differ much: one fast at low load, three slow at "
           "high "
           "load. At equal capacity the latter needs C² > 3.5; at unequal capacity the overloaded side "
           "loses.";
}

std::string describeDifference(const QueueAnswer& first, const QueueAnswer& other,
                               const std::optional<Estimate>& difference)
{
    if (!difference)
        return {};
    const bool isSure = difference->low * difference->high > 0.0;
    const double share = std::abs(difference->value) / other.simulated->response.value;
    if (isSure && difference->value > other.simulated->response.value)
        return first.name + " takes " + text::formatDigits(1.0 + share, 2) + " times as long as " +
               other.name + " to respond on average.";
    return first.name + " responds " +
           (isSure ? text::formatPercent(share) + (difference->value < 0.0 ? " faster" : " slower") +
                         " on average than "
                   : "neither faster nor slower, as far as these jobs can tell, than ") +
           other.name + ".";
}

std::string describeOverload(const QueueAnswer& system, double rate)
{
    return text::formatNumber(rate * kHourSeconds) + " jobs per hour overload " + system.name + ": at most " +
           text::formatNumber(system.capacity * kHourSeconds) + " per hour are served.";
}

std::string describeTurn(const QueueAnswer& first, const QueueAnswer& second,
                         const std::optional<double>& rate)
{
    if (!rate)
        return "The answer is the same from 2 % to 98 % of the smaller capacity.";
    return "The answer turns at " + text::formatNumber(*rate * kHourSeconds) + " jobs per hour (" +
           text::formatPercent(*rate / second.capacity) + " of the capacity of " + second.name + "), where " +
           first.name + " and " + second.name + " respond equally fast.";
}

report::Table makeLawTable(const std::vector<LawScore>& laws)
{
    report::Table table{.columns = {{.title = "law", .kind = report::ColumnKind::Text},
                                    {.title = "error of the counts left out"},
                                    {.title = "weight in the interval"}}};
    for (const LawScore& score : laws)
        table.rows.push_back({std::string(nameOf(score.law.kind)), text::formatPercent(score.heldOutError),
                              text::formatPercent(score.weight)});
    return table;
}

report::Table makeSpeedTable(const std::vector<ForecastRow>& rows, double confidence,
                             const std::function<Estimate(const ForecastRow&)>& costOfMillion,
                             const std::vector<LinkSpeed>& links)
{
    report::Table table{.columns = {{.title = "GPUs"},
                                    {.title = "speed (" + text::formatPercent(confidence, 0) + " interval)"},
                                    {.title = "speed-up"},
                                    {.title = "efficiency"}}};
    if (costOfMillion)
        table.columns.push_back({.title = "cost of a million"});
    if (!links.empty())
        addLinkColumns(table);
    table.columns.push_back({.kind = report::ColumnKind::Text});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ForecastRow& row = rows[i];
        std::vector<report::Cell> cells{row.count,
                                        report::Bounded{row.speed.value, row.speed.low, row.speed.high},
                                        report::makeCell(row.speedUp), text::formatPercent(row.efficiency)};
        if (costOfMillion) {
            const Estimate cost = costOfMillion(row);
            cells.emplace_back(report::Bounded{cost.value, cost.low, cost.high});
        }
        if (!links.empty())
            addLinkCells(links[i], cells);
        cells.emplace_back(row.isMeasured ? "measured" : "");
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string describeWorth(double worth, int last, int smallest)
{
    const bool isWorthNothing = last == smallest;
    return report::fill(isWorthNothing ? report::catalogue::kDoublingIsNotWorthIt
                                       : report::catalogue::kDoublingIsWorthIt,
                        {{"times", text::formatBriefly(worth)}, {"gpus", text::formatCount(last, "GPU")}});
}

std::optional<report::Finding> findIdleCounts(const std::vector<ForecastRow>& rows,
                                              const std::optional<study::NodeSize>& node)
{
    std::vector<int> counts;
    for (const ForecastRow& row : rows) {
        if (!row.isMeasured)
            counts.push_back(row.count);
    }
    return node ? report::findIdleCounts(counts, *node) : std::nullopt;
}

report::Table makeLinkTable(const std::vector<LinkSpeed>& speeds)
{
    report::Table table{.columns = {{.title = "GPUs"}}};
    addLinkColumns(table);
    for (const LinkSpeed& speed : speeds) {
        std::vector<report::Cell> cells{speed.count};
        addLinkCells(speed, cells);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string describeScaling(ScalingKind kind)
{
    switch (kind) {
    case ScalingKind::Weak:
        return "Weak scaling: the work of each GPU stays the same";
    case ScalingKind::Strong:
        return "Strong scaling: the work of all GPUs together stays the same";
    case ScalingKind::Either:
        return "Weak or strong scaling, as the factor scaling says";
    case ScalingKind::Unknown:
        break;
    }
    return "Weak or strong scaling: the settings do not say which";
}

report::Table makeSpeedUpTable(const SpeedUp& speedUp)
{
    const std::string interval = text::formatPercent(speedUp.confidence, 0) + " interval";
    report::Table table{
        .id = "speed_up",
        .caption = "Speed-up over GPUs",
        .columns = {{"GPUs", {}, report::ColumnKind::Number, "gpus"},
                    {"Runs", "Runs at this count.", report::ColumnKind::Number, "runs"},
                    {"Speed-up", {}, report::ColumnKind::Number, "speed_up"},
                    {interval, {}, report::ColumnKind::Number, "speed_up_interval"},
                    {"Ideal", "Without any loss.", report::ColumnKind::Number, "ideal"},
                    {"Efficiency", "Speed-up / ideal.", report::ColumnKind::Number, "efficiency"},
                    {interval, {}, report::ColumnKind::Number, "efficiency_interval", "%"}},
        .note =
            describeScaling(speedUp.scaling) + ". " +
            (speedUp.scaling == ScalingKind::Unknown ? "A fixed setting scaling = weak or strong says it. "
                                                     : "") +
            baselineWords(speedUp) + sourceWords(speedUp)};
    for (const SpeedUpPoint& point : speedUp.counts) {
        const double ideal = idealSpeedUp(speedUp, point.count);
        const auto half =
            point.interval ? std::optional((point.interval->high - point.interval->low) / 2.0) : std::nullopt;
        table.rows.push_back({report::makeCell(point.count), point.runs,
                              report::makeEstimateCell(point.speedUp, half), rangeCell(point.interval, 1.0),
                              report::makeCell(ideal), text::formatPercent(point.speedUp / ideal),
                              rangeCell(point.interval, 100.0 / ideal)});
    }
    return table;
}

} // namespace quadric::plan
