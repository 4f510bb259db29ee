// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/fit_selection.h"
#include "app/cli/output/queue_output.h"
#include "app/cli/plan/plan_commands.h"
#include "app/cli/plan/published_numbers.h"
#include "core/exchange/import/job_file.h"
#include "core/plan/plan_questions.h"
#include "core/plan/queue/queue_plan.h"
#include "core/plan/study_jobs.h"
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

QueueReport queueReport(const QueueCommand& options)
{
    const QueueProblem problem = readProblem(options);
    const plan::ArrivalStream stream = plan::drawArrivals(options.simulated, options.seed);
    QueueReport report{.jobs = options.simulated, .seed = options.seed, .price = options.price};
    report.rate = rateOf(options, problem, plan::capacityOf(problem.slow, stream));
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

void addJobOptions(CLI::App& command, QueueCommand& options)
{
    command.add_option("study", options.study.path, "A study: its runs are the jobs")->type_name("STUDY");
    command.add_flag("--json", options.study.json, "Print one JSON document instead of tables");
    command
        .add_option("--jobs", options.jobs,
                    "A table of jobs instead: CSV, or what sacct --parsable2 --allocations prints")
        ->type_name("FILE");
    command
        .add_option("--mean", options.mean,
                    "Jobs of a gamma distribution instead: mean time on a slow machine, s")
        ->type_name("SECONDS");
    command
        .add_option("--variation", options.variation,
                    "Coefficient of variation with --mean: 1 is exponential, 0 all alike")
        ->check(numberFrom(0.0, kMostVariation))
        ->type_name("C");
    command.add_option("--fast", options.fast, "Settings of the fast machine: name=value,name=value")
        ->type_name("SETTINGS");
    command.add_option("--slow", options.slow, "Settings of a slow machine: name=value,name=value")
        ->type_name("SETTINGS");
}

} // namespace

void addPlanQueue(CLI::App& plan)
{
    auto options = std::make_shared<QueueCommand>();
    CLI::App* command =
        plan.add_subcommand("queue", "One fast machine or several slow ones, for jobs that queue");
    addJobOptions(*command, *options);
    addFitOptions(*command, options->selection);
    command->add_option("--machines", options->machines, "Slow machines")
        ->check(wholeNumber(1, kMostMachines))
        ->type_name("K");
    command
        ->add_option("--speed-up", options->speedUp,
                     "The fast machine is so many times as fast as a slow one; default: as many as there are")
        ->type_name("X");
    command
        ->add_option("--gang", options->gangs,
                     "Also: each job on N slow machines at once, X times as fast as on one: N=X")
        ->type_name("N=X");
    command
        ->add_option("--arrivals", options->arrivals,
                     "Jobs per hour; default: as in the table of jobs, else by --utilization 70")
        ->type_name("N");
    command
        ->add_option("--utilization", options->utilization,
                     "Arrivals as percent of the slow machines' capacity")
        ->type_name("PERCENT");
    command
        ->add_option("--loads", options->loads,
                     "Low and high load of the table of variability, percent: 30,90")
        ->type_name("LOW,HIGH");
    command->add_option("--price-of-waiting", options->price, "What an hour of waiting of one job costs")
        ->check(numberFrom(0.0))
        ->type_name("PRICE");
    command->add_option("--simulated-jobs", options->simulated, "Jobs of the simulation")
        ->check(wholeNumber(1000, kMostSimulatedJobs))
        ->type_name("N");
    command->add_option("--seed", options->seed, "Seed of the simulation")->type_name("N");
    addPublishedOption(*command, options->published);
    command->callback([options] { planQueue(*options); });
}

} // namespace quadric::app
