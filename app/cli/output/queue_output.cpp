// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/queue_output.h"

#include "core/report/table_text.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace quadric::app {

namespace {

constexpr double kHour = 3600.0;

/// The unit in which times of this size are read.
struct TimeUnit {
    const char* name;
    double seconds;
};

TimeUnit unitFor(const std::vector<plan::QueueAnswer>& systems)
{
    double largest = 0.0;
    for (const plan::QueueAnswer& system : systems)
        largest = std::max(largest, system.job.mean);
    return largest < 120.0       ? TimeUnit{"s", 1.0}
           : largest < 2 * kHour ? TimeUnit{"min", 60.0}
                                 : TimeUnit{"h", kHour};
}

report::Cell boundedCell(const plan::Estimate& estimate, const TimeUnit& unit)
{
    return report::Bounded{estimate.value / unit.seconds, estimate.low / unit.seconds,
                           estimate.high / unit.seconds};
}

report::Cell timeCell(const std::optional<double>& seconds, const TimeUnit& unit)
{
    return seconds ? report::makeCell(*seconds / unit.seconds) : report::Cell();
}

std::string percentText(double share)
{
    return text::formatPercent(share);
}

std::vector<report::Cell> queueRow(const plan::QueueAnswer& system, const TimeUnit& unit)
{
    std::vector<report::Cell> row{system.name,
                                  system.machines,
                                  timeCell(system.job.mean, unit),
                                  report::makeCell(system.job.squaredVariation, report::Digits::Ratio),
                                  percentText(system.utilization),
                                  timeCell(system.formulaWait, unit)};
    if (!system.simulated) {
        row.insert(row.end(), {std::string("overloaded"), {}, {}, {}});
        return row;
    }
    const plan::SimulatedQueue& queue = *system.simulated;
    row.insert(row.end(), {boundedCell(queue.wait, unit), timeCell(queue.waitQuantile, unit),
                           boundedCell(queue.response, unit), timeCell(queue.responseQuantile, unit)});
    return row;
}

void printSystems(const QueueReport& report)
{
    const TimeUnit unit = unitFor(report.systems);
    report::Table table{.columns = {{.title = "system", .kind = report::ColumnKind::Text},
                                    {.title = "machines"},
                                    {.title = "job", .unit = unit.name},
                                    {.title = "C²"},
                                    {.title = "utilization"},
                                    {.title = "wait, formula", .unit = unit.name},
                                    {.title = "mean wait", .unit = unit.name},
                                    {.title = "95 % wait", .unit = unit.name},
                                    {.title = "mean response", .unit = unit.name},
                                    {.title = "95 % response", .unit = unit.name}}};
    for (const plan::QueueAnswer& system : report.systems)
        table.rows.push_back(queueRow(system, unit));
    std::cout << text::formatNumber(report.rate * kHour) << " jobs per hour; means of "
              << text::formatCount(report.jobs, "simulated job") << " with 95 % intervals\n\n"
              << report::renderTerminal(table);
}

/// "one fast: 12 % shorter mean response than 3 slow (interval …)".
void printDifferences(const QueueReport& report)
{
    const plan::QueueAnswer& first = report.systems.front();
    for (std::size_t i = 1; i < report.systems.size(); ++i) {
        const plan::QueueAnswer& other = report.systems[i];
        const auto& difference = report.differences[i - 1];
        if (!difference)
            continue;
        const bool isSure = difference->low * difference->high > 0.0;
        const double share = std::abs(difference->value) / other.simulated->response.value;
        std::cout << '\n'
                  << first.name << " responds "
                  << (isSure ? percentText(share) + (difference->value < 0.0 ? " faster" : " slower") +
                                   " on average than "
                             : "neither faster nor slower, as far as these jobs can tell, than ")
                  << other.name << ".\n";
    }
}

void printTurn(const QueueReport& report)
{
    if (report.systems.size() < 2)
        return;
    const std::string pair = report.systems[0].name + " and " + report.systems[1].name;
    if (!report.turningRate) {
        std::cout << "\nThe answer is the same from 2 to 98 % of the smaller capacity.\n";
        return;
    }
    std::cout << "\nThe answer turns at " << text::formatNumber(*report.turningRate * kHour)
              << " jobs per hour (" << percentText(*report.turningRate / report.systems[1].capacity)
              << " of the capacity of " << report.systems[1].name << "), where " << pair
              << " respond equally fast.\n";
}

std::optional<double> waitingCost(const QueueReport& report, const plan::QueueAnswer& system)
{
    return report.price && system.simulated
               ? std::optional(*report.price * report.rate * system.simulated->wait.value)
               : std::nullopt;
}

void printCosts(const QueueReport& report)
{
    for (const plan::QueueAnswer& system : report.systems)
        if (const auto cost = waitingCost(report, system))
            std::cout << "\nWaiting for " << system.name << " costs " << text::formatNumber(*cost)
                      << " per hour.\n";
}

std::string verdictText(const plan::VariabilityCell& cell)
{
    if (cell.faster == plan::Faster::Neither)
        return cell.difference ? "no difference" : "both overloaded";
    const bool isFirst = cell.faster == plan::Faster::First;
    const std::string name = isFirst ? cell.first.name : cell.second.name;
    if (!cell.difference)
        return name + ": the other is overloaded";
    const double slower = (isFirst ? cell.second : cell.first).simulated->response.value;
    return name + " " + percentText(std::abs(cell.difference->value) / slower) + " faster";
}

void printVariability(const QueueReport& report)
{
    if (report.table.empty())
        return;
    report::Table table{.columns = {{.title = "jobs", .kind = report::ColumnKind::Text}, {.title = "C²"}}};
    for (const plan::VariabilityCell& cell : report.table.front().cells)
        table.columns.push_back(
            {.title = "load " + percentText(cell.load), .kind = report::ColumnKind::Text});
    for (const plan::VariabilityRow& row : report.table)
        table.rows.push_back({row.variability,
                              report::makeCell(row.job.squaredVariation, report::Digits::Ratio),
                              verdictText(row.cells[0]), verdictText(row.cells[1])});
    std::cout << '\n' << report::renderTerminal(table);
}

Json systemJson(const QueueReport& report, const plan::QueueAnswer& system)
{
    Json json = {{"name", system.name},
                 {"machines", system.machines},
                 {"job_seconds", system.job.mean},
                 {"squared_variation", system.job.squaredVariation},
                 {"utilization", system.utilization},
                 {"capacity_per_hour", system.capacity * kHour},
                 {"overloaded", !system.simulated.has_value()},
                 {"formula_wait", jsonOf(system.formulaWait)}};
    const auto& queue = system.simulated;
    json["wait"] = estimateJson(queue ? std::optional(queue->wait) : std::nullopt);
    json["wait_95"] = jsonOf(queue ? std::optional(queue->waitQuantile) : std::nullopt);
    json["response"] = estimateJson(queue ? std::optional(queue->response) : std::nullopt);
    json["response_95"] = jsonOf(queue ? std::optional(queue->responseQuantile) : std::nullopt);
    json["waiting_cost_per_hour"] = jsonOf(waitingCost(report, system));
    return json;
}

Json cellJson(const plan::VariabilityCell& cell)
{
    const std::string faster = cell.faster == plan::Faster::First    ? cell.first.name
                               : cell.faster == plan::Faster::Second ? cell.second.name
                                                                     : "";
    return {{"load", cell.load},
            {"faster", faster.empty() ? Json() : Json(faster)},
            {"difference", estimateJson(cell.difference)}};
}

} // namespace

Json estimateJson(const std::optional<plan::Estimate>& estimate)
{
    return estimate ? Json{{"value", estimate->value}, {"low", estimate->low}, {"high", estimate->high}}
                    : Json();
}

Json queueJson(const QueueReport& report)
{
    return {{"arrivals_per_hour", report.rate * kHour},
            {"simulated_jobs", report.jobs},
            {"seed", report.seed},
            {"systems", listOf(report.systems, [&](const auto& item) { return systemJson(report, item); })},
            {"differences", listOf(report.differences, estimateJson)},
            {"turning_arrivals_per_hour", report.turningRate ? Json(*report.turningRate * kHour) : Json()},
            {"variability", listOf(report.table, [](const plan::VariabilityRow& row) {
                 return Json{{"jobs", row.variability},
                             {"squared_variation", row.job.squaredVariation},
                             {"cells", listOf(row.cells, cellJson)}};
             })}};
}

void printQueue(const QueueReport& report)
{
    printSystems(report);
    printDifferences(report);
    printTurn(report);
    printCosts(report);
    printVariability(report);
}

} // namespace quadric::app
