// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/fit_selection.h"
#include "app/cli/plan/plan_commands.h"
#include "core/exchange/import/table_import.h"
#include "core/plan/jobs.h"
#include "core/plan/plan_choices.h"
#include "core/plan/queue/queue_plan.h"
#include "core/plan/words/cluster_tables.h"
#include "core/report/table.h"
#include "core/text/numbers.h"

#include <array>
#include <iostream>
#include <memory>
#include <tuple>

namespace quadric::app {

namespace {

constexpr double kHourSeconds = 3600.0;
constexpr int kMostMachines = 10'000;
constexpr int kMostSimulatedJobs = 10'000'000;
constexpr double kUsualLoad = 0.7;
/// Of a gamma distribution whose quantiles still have this variation.
constexpr double kMostVariation = 10.0;

struct QueueCommand {
    StudyOption study;
    FitSelection selection;
    std::string jobs, published;
    std::optional<double> mean, arrivals, utilization, speedUp, price;
    double variation = 1.0;
    std::vector<std::string> fast, slow, gangs, loads;
    int machines = 3;
    int simulated = 100'000;
    std::uint64_t seed = 1;
};

/// The two systems that are compared first, and where the jobs of the table come from.
struct QueueProblem {
    plan::QueueSystem fast, slow;
    std::optional<double> rate; ///< of the records
    std::vector<std::pair<plan::QueueSystem, plan::QueueSystem>> rows;
    std::vector<std::string> rowNames;
};

std::vector<plan::Task> tasksOf(const std::vector<double>& seconds)
{
    std::vector<plan::Task> tasks;
    tasks.reserve(seconds.size());
    for (const double value : seconds)
        tasks.push_back({value});
    return tasks;
}

QueueProblem problemOf(const QueueCommand& options, std::vector<plan::Task> tasks)
{
    plan::QueueSystems systems =
        plan::fastAgainstSlow(std::move(tasks), options.machines,
                              requirePositive("--speed-up", options.speedUp.value_or(options.machines)));
    QueueProblem problem;
    problem.fast = std::move(systems.fast);
    problem.slow = std::move(systems.slow);
    problem.rows = {
        {plan::withMiddleHalf(problem.fast, problem.slow), plan::withMiddleHalf(problem.slow, problem.slow)},
        {problem.fast, problem.slow}};
    problem.rowNames = {"middle half of the jobs", "all jobs"};
    return problem;
}

QueueProblem readFileOfJobs(const QueueCommand& options)
{
    plan::JobRecords records = exchange::readJobFile(options.jobs);
    if (records.skipped > 0)
        warn(options.jobs + ": " + text::formatCount(records.skipped, "row") + " without a time left out");
    if (const int needed = plan::largestGang(records.tasks); needed > options.machines)
        throw UsageError("--machines: " + std::to_string(options.machines) + ", expected " +
                         std::to_string(needed) + " or more: a job of " + options.jobs + " needs as many");
    QueueProblem problem = problemOf(options, std::move(records.tasks));
    problem.rate = records.rate;
    return problem;
}

/// Jobs as the model predicts them at the settings of either system.
QueueProblem modelJobs(const QueueCommand& options, const study::Study& study)
{
    if (options.fast.empty() || options.slow.empty())
        throw UsageError("--fast and --slow belong together");
    if (options.selection.response.empty())
        throw UsageError("--fast needs --response NAME: a time that has a model");
    const study::Settings fast = readAssignments(study, "--fast", options.fast);
    const study::Settings slow = readAssignments(study, "--slow", options.slow);
    const std::vector<model::Fit> fits =
        decidingFitsOf(study, fitsOf(study, options.selection), options.selection);
    if (!fits.front().isOk())
        throw WorkError(fits.front().message);
    const model::Fit& fit = fits.front();
    const auto pair = [&](const std::vector<double>& onFast, const std::vector<double>& onSlow) {
        return std::pair<plan::QueueSystem, plan::QueueSystem>{
            {"1 fast", 1, tasksOf(onFast)},
            {std::to_string(options.machines) + " slow", options.machines, tasksOf(onSlow)}};
    };
    QueueProblem problem;
    std::tie(problem.fast, problem.slow) =
        pair(plan::modeledJobs(fit, study, fast), plan::modeledJobs(fit, study, slow));
    if (const auto extremes = plan::findExtremes(fit, fast)) {
        for (const std::size_t factor : {extremes->least, extremes->most}) {
            problem.rows.push_back(
                pair(plan::modeledJobsAlong(fit, factor, fast), plan::modeledJobsAlong(fit, factor, slow)));
            problem.rowNames.push_back(fit.factors[factor].name + " varies");
        }
    }
    return problem;
}

QueueProblem readProblem(const QueueCommand& options)
{
    const int sources = !options.study.path.empty() + !options.jobs.empty() + options.mean.has_value();
    if (sources != 1)
        throw UsageError("plan queue: expected jobs of one kind: a study, --jobs FILE or --mean SECONDS");
    if (options.mean)
        return problemOf(
            options, tasksOf(plan::gammaJobs(requirePositive("--mean", *options.mean), options.variation)));
    if (!options.jobs.empty())
        return readFileOfJobs(options);
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    if (!options.selection.response.empty())
        requireResponse(study, "--response", options.selection.response);
    if (!options.fast.empty() || !options.slow.empty())
        return modelJobs(options, study);
    return problemOf(options, tasksOf(plan::observedJobs(study, options.selection.response)));
}

/// "2=1.8": two machines serve a job 1.8 times as fast.
plan::QueueSystem readGang(const plan::QueueSystem& slow, const std::string& text)
{
    if (text.find('=') == std::string::npos)
        throw UsageError("--gang: \"" + text + "\", expected N=X, such as 2=1.8");
    const auto [count, factor] = splitAssignment("--gang", text);
    const int size = readInteger("--gang", count, 1, slow.machines);
    const double speedUp = requirePositive("--gang", readNumber("--gang", factor));
    return plan::withGangs(slow, size, speedUp);
}

double rateOf(const QueueCommand& options, const QueueProblem& problem, double capacity)
{
    if (options.arrivals && options.utilization)
        throw UsageError("--arrivals and --utilization say the same; expected one of them");
    if (options.arrivals)
        return requirePositive("--arrivals", *options.arrivals) / kHourSeconds;
    if (options.utilization)
        return requirePositive("--utilization", *options.utilization) / 100.0 * capacity;
    return problem.rate.value_or(kUsualLoad * capacity);
}

std::array<double, 2> readLoads(const std::vector<std::string>& texts)
{
    if (texts.empty())
        return plan::kLowAndHighLoad;
    const std::vector<std::string> parts = split(texts.front(), ',');
    if (parts.size() != 2)
        throw UsageError("--loads: \"" + texts.front() + "\", expected two shares in percent: 30,90");
    return {requirePositive("--loads", readNumber("--loads", parts[0])) / 100.0,
            requirePositive("--loads", readNumber("--loads", parts[1])) / 100.0};
}

/// Everything that `plan queue` was asked for.
struct QueueReport {
    double rate = 0.0; ///< jobs a second
    int jobs = 0;      ///< that were simulated
    std::uint64_t seed = 1;
    std::vector<plan::QueueAnswer> systems = {};
    std::vector<std::optional<plan::Estimate>> differences = {}; ///< of the first system minus each other
    std::optional<double> turningRate = {};                      ///< of the first two systems
    std::optional<double> price = {};                            ///< of an hour of waiting of one job
    std::vector<plan::VariabilityRow> table = {};                ///< of the first two systems
};

void printSystems(const QueueReport& report)
{
    std::cout << text::formatNumber(report.rate * kHourSeconds) << " jobs per hour; means of "
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
                 {"capacity_per_hour", system.capacity * kHourSeconds},
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

Json queueJson(const QueueReport& report)
{
    return {
        {"arrivals_per_hour", report.rate * kHourSeconds},
        {"simulated_jobs", report.jobs},
        {"seed", report.seed},
        {"systems", listOf(report.systems, [&](const auto& item) { return systemJson(report, item); })},
        {"differences", listOf(report.differences, estimateJson)},
        {"turning_arrivals_per_hour", report.turningRate ? Json(*report.turningRate * kHourSeconds) : Json()},
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

QueueReport queueReport(const QueueCommand& options)
{
    const QueueProblem problem = readProblem(options);
    const plan::ArrivalStream stream = plan::drawArrivals(options.simulated, options.seed);
    QueueReport report{.jobs = options.simulated, .seed = options.seed, .price = options.price};
    report.rate = rateOf(options, problem, plan::computeCapacity(problem.slow, stream));
    std::vector<plan::QueueSystem> systems{problem.fast, problem.slow};
    for (const std::string& gang : options.gangs)
        systems.push_back(readGang(problem.slow, gang));
    for (const plan::QueueSystem& system : systems)
        report.systems.push_back(plan::answerQueue(system, report.rate, stream));
    for (std::size_t i = 1; i < systems.size(); ++i)
        report.differences.push_back(plan::compareResponses(report.systems[0], report.systems[i]));
    report.turningRate = plan::findTurningRate(problem.fast, problem.slow, stream);
    const std::array<double, 2> loads = readLoads(options.loads);
    for (std::size_t i = 0; i < problem.rows.size(); ++i)
        report.table.push_back(plan::compareVariability(problem.rowNames[i], problem.rows[i].first,
                                                        problem.rows[i].second, loads, stream));
    return report;
}

void planQueue(const QueueCommand& options)
{
    const QueueReport report = queueReport(options);
    printAnswer(options.study.json, queueJson(report), options.published, [&] { printQueue(report); });
}

void addJobOptions(Command& command, QueueCommand& options)
{
    command.option("study", options.study.path, Kind::studyFile(), "STUDY", "A study: its runs are the jobs");
    command.flag("--json", options.study.json, "Print one JSON document instead of tables");
    command.option("--jobs", options.jobs, Kind::file(), "FILE",
                   "A table of jobs instead: CSV, or what sacct --parsable2 --allocations prints");
    command.option("--mean", options.mean, Kind::number(), "SECONDS",
                   "Jobs of a gamma distribution instead: mean time on a slow machine, s");
    command.option("--variation", options.variation, Kind::numberFrom(0.0, kMostVariation), "C",
                   "Coefficient of variation with --mean: 1 is exponential, 0 all alike");
    command.option("--fast", options.fast, Kind::settings(), "SETTINGS",
                   "Settings of the fast machine: name=value,name=value");
    command.option("--slow", options.slow, Kind::settings(), "SETTINGS",
                   "Settings of a slow machine: name=value,name=value");
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
    command.option("--gang", options->gangs, Kind::freeText(), "N=X",
                   "Also: each job on N slow machines at once, X times as fast as on one: N=X");
    command.option("--arrivals", options->arrivals, Kind::number(), "N",
                   "Jobs per hour; default: as in the table of jobs, else by --utilization 70");
    command.option("--utilization", options->utilization, Kind::number(), "PERCENT",
                   "Arrivals as percent of the slow machines' capacity");
    command.option("--loads", options->loads, Kind::freeText(), "LOW,HIGH",
                   "Low and high load of the table of variability, percent: 30,90");
    command.option("--price-of-waiting", options->price, Kind::numberFrom(0.0), "PRICE",
                   "What an hour of waiting of one job costs");
    command.option("--simulated-jobs", options->simulated, Kind::wholeNumber(1000, kMostSimulatedJobs), "N",
                   "Jobs of the simulation");
    command.option("--seed", options->seed, Kind::number(), "N", "Seed of the simulation");
    addPublishedOption(command, options->published);
    command.whenCalled([options] { planQueue(*options); });
}

} // namespace quadric::app
