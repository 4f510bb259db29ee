// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/queue_output.h"

#include "core/plan/words/queue_tables.h"
#include "core/report/table_text.h"
#include "core/text/numbers.h"

#include <iostream>

namespace quadric::app {

namespace {

constexpr double kHour = 3600.0;

void printSystems(const QueueReport& report)
{
    std::cout << text::formatNumber(report.rate * kHour) << " jobs per hour; means of "
              << text::formatCount(report.jobs, "simulated job") << " with 95 % intervals\n\n"
              << report::renderTerminal(plan::makeQueueTable(report.systems));
}

void printDifferences(const QueueReport& report)
{
    for (std::size_t i = 1; i < report.systems.size(); ++i)
        if (report.differences[i - 1])
            std::cout << '\n'
                      << plan::describeDifference(report.systems[0], report.systems[i],
                                                  report.differences[i - 1])
                      << '\n';
}

void printOverload(const QueueReport& report)
{
    for (const plan::QueueAnswer& system : report.systems)
        if (!system.simulated)
            std::cout << '\n' << plan::describeOverload(system, report.rate) << '\n';
}

void printTurn(const QueueReport& report)
{
    if (report.systems.size() > 1)
        std::cout << '\n'
                  << plan::describeTurn(report.systems[0], report.systems[1], report.turningRate) << '\n';
}

/// Per hour.
std::optional<plan::Estimate> waitingCost(const QueueReport& report, const plan::QueueAnswer& system)
{
    if (!report.price || !system.simulated)
        return std::nullopt;
    const plan::Estimate& wait = system.simulated->wait;
    const double each = *report.price * report.rate;
    return plan::Estimate{each * wait.value, each * wait.low, each * wait.high};
}

void printCosts(const QueueReport& report)
{
    for (const plan::QueueAnswer& system : report.systems)
        if (const auto cost = waitingCost(report, system))
            std::cout << "\nWaiting for " << system.name << " costs "
                      << text::formatInterval(cost->value, cost->low, cost->high) << " per hour.\n";
}

void printVariability(const QueueReport& report)
{
    if (!report.table.empty())
        std::cout << '\n'
                  << report::renderTerminal(plan::makeVariabilityTable(report.table)) << '\n'
                  << plan::describePublishedQueues() << '\n';
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
    const auto cost = waitingCost(report, system);
    json["waiting_cost_per_hour"] = cost ? Json(cost->value) : Json();
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
    printOverload(report);
    printDifferences(report);
    printTurn(report);
    printCosts(report);
    printVariability(report);
}

} // namespace quadric::app
