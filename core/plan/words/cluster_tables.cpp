// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/cluster_tables.h"

#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/finding.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

constexpr double kHourSeconds = 3600.0;

report::Cell boundedCell(const Estimate& estimate, const text::TimeUnit& unit)
{
    return report::Bounded{estimate.value / unit.seconds, estimate.low / unit.seconds,
                           estimate.high / unit.seconds};
}

std::vector<report::Cell> queueRow(const QueueAnswer& system, const text::TimeUnit& unit)
{
    std::vector<report::Cell> row{system.name, system.machines,
                                  report::makeCell(system.job.mean / unit.seconds),
                                  report::makeCell(system.job.squaredVariation, report::Digits::Ratio),
                                  text::formatPercent(system.utilization)};
    if (const auto& queue = system.simulated)
        row.insert(row.end(), {report::makeCell(*system.formulaWait / unit.seconds),
                               boundedCell(queue->wait, unit), boundedCell(queue->response, unit)});
    else
        row.insert(row.end(), {std::string("overloaded"), {}, {}});
    return row;
}

std::string describeOverload(const QueueAnswer& system, double rate)
{
    return text::formatNumber(rate * kHourSeconds) + " jobs per hour overload " + system.name + ": at most " +
           text::formatNumber(system.capacity * kHourSeconds) + " per hour are served.";
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

report::Table makeQueueTable(const QueuePlan& plan)
{
    const text::TimeUnit unit = text::findTimeUnit(std::max(plan.fast.job.mean, plan.slow.job.mean));
    report::Table table{
        .columns = {
            {.title = "system", .kind = report::ColumnKind::Text},
            {.title = "machines"},
            {.title = "job", .tooltip = "Mean time of a job on one of these machines.", .unit = unit.name},
            {.title = "C²", .tooltip = "Variance of the times of the jobs over their squared mean."},
            {.title = "utilization", .tooltip = "Share of the machines' time that is used."},
            {.title = "wait, formula",
             .tooltip = "Pollaczek–Khinchine for one machine, exact; Lee–Longton for several, near.",
             .unit = unit.name},
            {.title = "wait, simulated", .tooltip = "With its 95 % interval.", .unit = unit.name},
            {.title = "response, simulated",
             .tooltip = "Waiting and being served together.",
             .unit = unit.name}}};
    for (const QueueAnswer* system : {&plan.fast, &plan.slow})
        table.rows.push_back(queueRow(*system, unit));
    return table;
}

std::string describeQueue(const QueuePlan& plan)
{
    if (!plan.difference)
        return describeOverload(plan.slow.simulated ? plan.fast : plan.slow, plan.rate);
    const Estimate& difference = *plan.difference;
    const bool isSure = difference.low * difference.high > 0.0;
    const double share = std::abs(difference.value) / plan.slow.simulated->response.value;
    if (isSure && difference.value > plan.slow.simulated->response.value)
        return plan.fast.name + " takes " + text::formatDigits(1.0 + share, 2) + " times as long as " +
               plan.slow.name + " to respond on average.";
    return plan.fast.name + " responds " +
           (isSure ? text::formatPercent(share) + (difference.value < 0.0 ? " faster" : " slower") +
                         " on average than "
                   : "neither faster nor slower, as far as these jobs can tell, than ") +
           plan.slow.name + ".";
}

report::Table makeLawTable(const std::vector<LawScore>& laws)
{
    report::Table table{.columns = {{.title = "law", .kind = report::ColumnKind::Text},
                                    {.title = "error of the counts left out"},
                                    {.title = "weight"}}};
    for (const LawScore& score : laws)
        table.rows.push_back({std::string(nameOf(score.law.kind)), text::formatPercent(score.heldOutError),
                              text::formatPercent(score.weight)});
    return table;
}

report::Table makeSpeedTable(const std::vector<ForecastRow>& rows, double gpuHour, double unitSeconds)
{
    report::Table table{
        .columns = {{.title = "GPUs"},
                    {.title = "speed (" + text::formatPercent(kForecastConfidence, 0) + " interval)"},
                    {.title = "speed-up"},
                    {.title = "efficiency"}}};
    if (gpuHour > 0.0)
        table.columns.push_back({.title = "cost of a million"});
    table.columns.push_back({.kind = report::ColumnKind::Text});
    for (const ForecastRow& row : rows) {
        std::vector<report::Cell> cells{row.count,
                                        report::Bounded{row.speed.value, row.speed.low, row.speed.high},
                                        report::makeCell(row.speedUp), text::formatPercent(row.efficiency)};
        if (gpuHour > 0.0) {
            const Estimate cost = costOfMillion(gpuHour, row, unitSeconds);
            cells.emplace_back(report::Bounded{cost.value, cost.low, cost.high});
        }
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
