// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan/plan_commands.h"
#include "core/plan/words/cluster_tables.h"
#include "core/report/table.h"
#include "core/text/numbers.h"

#include <cmath>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr double kHourSeconds = 3600.0;
constexpr int kMostMachines = 1000;
constexpr double kMostVariation = 10.0, kMostSpeedUp = 1000.0;

struct QueueCommand : PlanOptions {
    std::optional<double> mean, arrivals, utilization;
    std::vector<std::string> fast, slow;
    std::string vary;
};

/// Jobs as the model predicts them at the settings of either system: those of the runs, or along one factor.
plan::QueueSystems modelJobs(const QueueCommand& options, const PlannedStudy& planned)
{
    if (options.fast.empty() || options.slow.empty())
        throw UsageError(options.vary.empty() ? "--fast and --slow belong together"
                                              : "--vary needs --fast and --slow");
    const study::Study& study = planned.study;
    const model::Fit& fit = planned.fit();
    std::optional<std::size_t> along;
    if (!options.vary.empty())
        along = &requireFactor(study, "--vary", options.vary) - study.factors.data();
    const auto jobsAt = [&](const std::string& option, const std::vector<std::string>& texts) {
        return plan::modeledJobs(study, fit, plan::chosenWork(fit, planned.choices),
                                 readAssignments(study, option, texts), along);
    };
    const int machines = planned.choices.machines;
    return {{"1 fast", 1, jobsAt("--fast", options.fast)},
            {std::to_string(machines) + " slow", machines, jobsAt("--slow", options.slow)}};
}

/// Everything that `plan queue` was asked for.
struct QueueReport {
    plan::QueuePlan plan;
    plan::ResponseCurves curves; ///< at a tenth, two tenths, … of the slow machines' capacity
};

QueueReport answerQueue(const QueueCommand& options, const plan::QueueSystems& systems, double load)
{
    if (options.arrivals && options.utilization)
        throw UsageError("--arrivals and --utilization say the same; expected one of them");
    const double capacity = plan::capacityOf(systems.slow);
    const double rate = options.arrivals ? requirePositive("--arrivals", *options.arrivals) / kHourSeconds
                        : options.utilization
                            ? requirePositive("--utilization", *options.utilization) / 100.0 * capacity
                            : load * capacity;
    std::vector<double> rates;
    for (int tenth = 1; tenth < 10; ++tenth)
        rates.push_back(tenth / 10.0 * capacity);
    return {plan::planQueue(systems, rate), plan::responseCurves(systems, std::move(rates))};
}

QueueReport queueReport(const QueueCommand& options)
{
    if (options.study.path.empty() == !options.mean)
        throw UsageError("plan queue: expected jobs of one kind: a study or --mean SECONDS");
    if (options.mean) {
        plan::PlanChoices choices;
        for (const auto& take : options.given)
            take(choices);
        const auto jobs =
            plan::gammaJobs(requirePositive("--mean", *options.mean), choices.variation.value_or(1.0));
        return answerQueue(
            options,
            plan::fastAgainstSlow(jobs, choices.machines, choices.speedUp.value_or(choices.machines)),
            choices.load);
    }
    const PlannedStudy planned = readPlanned(options);
    const bool isModeled = !options.fast.empty() || !options.slow.empty() || !options.vary.empty();
    return answerQueue(options,
                       isModeled ? modelJobs(options, planned)
                                 : plan::queueQuestion(planned.study, planned.fit(), planned.choices),
                       planned.choices.load);
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
    addWorkOptions(command, options);
    command.option("--mean", options.mean, Kind::number(), "SECONDS",
                   "Jobs of a gamma distribution instead: mean time on a slow machine, s");
    addChoice<std::optional<double>>(
        command, options, "--variation", &plan::PlanChoices::variation, Kind::numberFrom(0.0, kMostVariation),
        "C", "Jobs of a gamma distribution: coefficient of variation, 1 is exponential, 0 all alike");
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
    addChoice<std::optional<int>>(command, *options, "--machines", &plan::PlanChoices::machines,
                                  Kind::wholeNumber(1, kMostMachines), "K", "Slow machines; default: 3");
    addChoice<std::optional<double>>(
        command, *options, "--speed-up", &plan::PlanChoices::speedUp, Kind::numberFrom(0.01, kMostSpeedUp),
        "X", "The fast machine is so many times as fast as a slow one; default: as many as there are");
    command.option("--arrivals", options->arrivals, Kind::number(), "N",
                   "Jobs per hour; default: by --utilization 70");
    command.option("--utilization", options->utilization, Kind::number(), "PERCENT",
                   "Arrivals as percent of the slow machines' capacity");
    command.whenCalled([options] { planQueue(*options); });
}

} // namespace quadric::app
