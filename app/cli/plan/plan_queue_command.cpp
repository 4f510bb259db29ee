// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/fit_selection.h"
#include "app/cli/plan/plan_commands.h"
#include "core/plan/jobs.h"
#include "core/plan/queue/queue_plan.h"
#include "core/plan/words/cluster_tables.h"
#include "core/report/table.h"
#include "core/text/numbers.h"

#include <cmath>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr double kHourSeconds = 3600.0;
constexpr int kMostMachines = 10'000;
constexpr double kUsualUtilization = 70.0;
constexpr double kMostVariation = 10.0;

struct QueueCommand {
    StudyOption study;
    FitSelection selection;
    std::optional<double> mean, arrivals, utilization, speedUp;
    double variation = 1.0;
    std::vector<std::string> fast, slow;
    std::string vary;
    int machines = 3;
    std::uint64_t seed = 1;
};

/// Jobs as the model predicts them at the settings of either system: those of the runs, or along one factor.
plan::QueueSystems modelJobs(const QueueCommand& options, const study::Study& study)
{
    if (options.fast.empty() || options.slow.empty())
        throw UsageError(options.vary.empty() ? "--fast and --slow belong together"
                                              : "--vary needs --fast and --slow");
    if (!options.vary.empty())
        requireFactor(study, "--vary", options.vary);
    const model::Fit fit = requireTimedFit(study, options.selection);
    const auto jobsAt = [&](const std::string& option, const std::vector<std::string>& texts) {
        const study::Settings settings = readAssignments(study, option, texts);
        if (options.vary.empty())
            return plan::modeledJobs(fit, study, settings);
        const auto factor = std::ranges::find(fit.factors, options.vary, &study::Factor::name);
        return plan::modeledJobsAlong(fit, static_cast<std::size_t>(factor - fit.factors.begin()), settings);
    };
    return {{"1 fast", 1, jobsAt("--fast", options.fast)},
            {std::to_string(options.machines) + " slow", options.machines, jobsAt("--slow", options.slow)}};
}

plan::QueueSystems readSystems(const QueueCommand& options)
{
    if (options.study.path.empty() == !options.mean)
        throw UsageError("plan queue: expected jobs of one kind: a study or --mean SECONDS");
    const bool isModeled = !options.fast.empty() || !options.slow.empty() || !options.vary.empty();
    const double speedUp = requirePositive("--speed-up", options.speedUp.value_or(options.machines));
    if (options.mean)
        return plan::fastAgainstSlow(
            plan::gammaJobs(requirePositive("--mean", *options.mean), options.variation), options.machines,
            speedUp);
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    if (!options.selection.response.empty())
        requireResponse(study, "--response", options.selection.response);
    return isModeled ? modelJobs(options, study)
                     : plan::fastAgainstSlow(plan::observedJobs(study, options.selection.response),
                                             options.machines, speedUp);
}

double rateOf(const QueueCommand& options, double capacity)
{
    if (options.arrivals && options.utilization)
        throw UsageError("--arrivals and --utilization say the same; expected one of them");
    if (options.arrivals)
        return requirePositive("--arrivals", *options.arrivals) / kHourSeconds;
    return requirePositive("--utilization", options.utilization.value_or(kUsualUtilization)) / 100.0 *
           capacity;
}

/// Everything that `plan queue` was asked for.
struct QueueReport {
    plan::QueuePlan plan;
    plan::ResponseCurves curves; ///< at a tenth, two tenths, … of the slow machines' capacity
    std::uint64_t seed = 1;
};

QueueReport queueReport(const QueueCommand& options)
{
    const plan::QueueSystems systems = readSystems(options);
    const double capacity = plan::capacityOf(systems.slow);
    std::vector<double> rates;
    for (int tenth = 1; tenth < 10; ++tenth)
        rates.push_back(tenth / 10.0 * capacity);
    return {plan::planQueue(systems, rateOf(options, capacity), options.seed),
            plan::responseCurves(systems, std::move(rates)), options.seed};
}

report::Table responseTable(const QueueReport& report)
{
    const text::TimeUnit unit = text::findTimeUnit(report.plan.slow.job.mean);
    report::Table table{.columns = {{.title = "utilization of " + report.plan.slow.name},
                                    {.title = "jobs per hour"},
                                    {.title = "response of " + report.plan.fast.name, .unit = unit.name},
                                    {.title = "response of " + report.plan.slow.name, .unit = unit.name}}};
    const auto cell = [&unit](double seconds) {
        return std::isfinite(seconds) ? report::makeCell(seconds / unit.seconds)
                                      : report::Cell(std::string("overloaded"));
    };
    for (std::size_t i = 0; i < report.curves.rates.size(); ++i) {
        const double rate = report.curves.rates[i];
        table.rows.push_back({text::formatPercent(rate / report.plan.slow.capacity),
                              report::makeCell(rate * kHourSeconds), cell(report.curves.fast[i]),
                              cell(report.curves.slow[i])});
    }
    return table;
}

void printQueue(const QueueReport& report)
{
    std::cout << text::formatNumber(report.plan.rate * kHourSeconds) << " jobs per hour, "
              << text::formatCount(plan::kSimulatedJobs, "job") << " simulated\n\n"
              << report::renderTerminal(plan::makeQueueTable(report.plan)) << '\n'
              << plan::describeQueue(report.plan) << '\n';
    std::cout << "\nMean response by formula\n" << report::renderTerminal(responseTable(report));
}

Json systemJson(const plan::QueueAnswer& system)
{
    const auto& queue = system.simulated;
    return {{"name", system.name},
            {"machines", system.machines},
            {"job_seconds", system.job.mean},
            {"squared_variation", system.job.squaredVariation},
            {"utilization", system.utilization},
            {"capacity_per_hour", system.capacity * kHourSeconds},
            {"overloaded", !queue.has_value()},
            {"formula_wait", jsonOf(system.formulaWait)},
            {"wait", estimateJson(queue ? std::optional(queue->wait) : std::nullopt)},
            {"response", estimateJson(queue ? std::optional(queue->response) : std::nullopt)}};
}

Json responsesJson(const QueueReport& report)
{
    Json rows = Json::array();
    for (std::size_t i = 0; i < report.curves.rates.size(); ++i)
        rows.push_back({{"utilization", report.curves.rates[i] / report.plan.slow.capacity},
                        {"arrivals_per_hour", report.curves.rates[i] * kHourSeconds},
                        {"fast", jsonOf(report.curves.fast[i])},
                        {"slow", jsonOf(report.curves.slow[i])}});
    return rows;
}

Json queueJson(const QueueReport& report)
{
    return {{"arrivals_per_hour", report.plan.rate * kHourSeconds},
            {"seed", report.seed},
            {"systems", {systemJson(report.plan.fast), systemJson(report.plan.slow)}},
            {"difference", estimateJson(report.plan.difference)},
            {"responses", responsesJson(report)}};
}

void planQueue(const QueueCommand& options)
{
    const QueueReport report = queueReport(options);
    printAnswer(options.study.json, queueJson(report), [&] { printQueue(report); });
}

void addJobOptions(Command& command, QueueCommand& options)
{
    command.option("study", options.study.path, Kind::studyFile(), "STUDY", "A study: its runs are the jobs");
    command.flag("--json", options.study.json, "Print one JSON document instead of tables");
    command.option("--mean", options.mean, Kind::number(), "SECONDS",
                   "Jobs of a gamma distribution instead: mean time on a slow machine, s");
    command.option("--variation", options.variation, Kind::numberFrom(0.0, kMostVariation), "C",
                   "Coefficient of variation with --mean: 1 is exponential, 0 all alike");
    command.option("--fast", options.fast, Kind::settings(), "SETTINGS",
                   "Settings of the fast machine: name=value,name=value");
    command.option("--slow", options.slow, Kind::settings(), "SETTINGS",
                   "Settings of a slow machine: name=value,name=value");
    command.option("--vary", options.vary, Kind::numericFactor(), "FACTOR",
                   "With --fast and --slow: jobs differ in this factor alone, the others at the center");
}

} // namespace

void addPlanQueue(Command& plan)
{
    auto options = std::make_shared<QueueCommand>();
    Command& command = plan.addCommand("queue", "One fast machine or several slow ones, for jobs that queue");
    addJobOptions(command, *options);
    addFitOptions(command, options->selection);
    command.option("--machines", options->machines, Kind::wholeNumber(1, kMostMachines), "K",
                   "Slow machines");
    command.option("--speed-up", options->speedUp, Kind::number(), "X",
                   "The fast machine is so many times as fast as a slow one; default: as many as there are");
    command.option("--arrivals", options->arrivals, Kind::number(), "N",
                   "Jobs per hour; default: by --utilization 70");
    command.option("--utilization", options->utilization, Kind::number(), "PERCENT",
                   "Arrivals as percent of the slow machines' capacity");
    command.option("--seed", options->seed, Kind::number(), "N", "Seed of the simulation");
    command.whenCalled([options] { planQueue(*options); });
}

} // namespace quadric::app
