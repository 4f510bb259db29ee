// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/queue_tables.h"

#include "core/text/numbers.h"
#include "core/text/time_unit.h"

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

} // namespace quadric::plan
