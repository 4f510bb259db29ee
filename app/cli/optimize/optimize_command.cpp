// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/optimize/optimize_options.h"
#include "app/cli/output/optimize_output.h"
#include "app/cli/output/plan_output.h"
#include "app/cli/plan/plan_commands.h"
#include "core/model/select/recommended_models.h"
#include "core/optimize/next/run_plan.h"
#include "core/report/findings/advice.h"
#include "core/report/findings/answer_findings.h"
#include "core/run/time/run_durations.h"
#include "core/study/document/merge.h"
#include "core/study/files/journal.h"
#include "core/study/study.h"
#include "core/text/numbers.h"

#include <QCoreApplication>
#include <QProcess>

#include <algorithm>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

/// Adds runs to the study's file, with what a runner left in the journal folded in; their ids.
std::vector<int> addRunsToFile(const std::string& path, const std::vector<study::Settings>& settings,
                               study::RunKind kind)
{
    const study::StudyLock lock(path);
    study::foldJournal(path);
    const study::LoadedStudy loaded = study::loadStudy(path);
    const study::Study study = study::saveMerged(study::withRuns(loaded.study, settings, kind), loaded, path);
    std::vector<int> ids;
    for (std::size_t i = study.runs.size() - settings.size(); i < study.runs.size(); ++i)
        ids.push_back(study.runs[i].id);
    return ids;
}

/// Fills what failed runs say of the decision's optimum and solutions.
void findFeasibility(const study::Study& study, const optimize::OptimizeOptions& options, Decision& decision)
{
    decision.feasibility = model::feasibilityOf(study);
    if (!decision.feasibility)
        return;
    const study::Coding coding(study.factors);
    const auto at = [&](const study::Settings& settings) {
        return decision.feasibility->at(coding.toCoded(settings).x);
    };
    decision.runsAtBest = at(decision.optimum.settings);
    for (const optimize::Solution& solution : decision.optimum.solutions)
        decision.runs.push_back(at(solution.settings));
    decision.avoidance =
        report::describeAvoidance(study, decision.optimum.settings, options.leastRunsProbability);
    decision.avoidance.push_back(report::describeRunProbability(study, decision.optimum.settings));
    if (const auto boundary = report::describeBoundary(study, options.leastRunsProbability))
        decision.avoidance.push_back(boundary->sentence);
}

SpendPlan planSpending(const OptimizeCommand& command, double seconds, int most)
{
    SpendPlan result;
    result.study = withGoals(withSelection(readStudy(command.study.path), command.selection), command);
    const run::DurationModel durations = run::learnDurations(result.study);
    optimize::PlanOptions options;
    options.search = optionsOf(result.study, command);
    options.most = most;
    options.isForFront = result.isForFront = readRunCriterion(command) == optimize::RunCriterion::Front;
    result.hasDurations = !durations.isEmpty();
    if (result.hasDurations) {
        options.seconds = seconds;
        options.secondsOf = [&durations](const study::Settings& settings) {
            return durations.forecast({settings}, {1.0}).seconds.front();
        };
    }
    result.plan = optimize::planRuns(result.study, processesOf(result.study, command.selection), options);
    if (!result.plan.isOk())
        throw WorkError("no plan: " + result.plan.message);
    return result;
}

std::vector<int> addPlanned(const OptimizeCommand& command, const optimize::RunPlan& plan)
{
    std::vector<study::Settings> settings;
    for (const optimize::PlannedRun& run : plan.runs)
        settings.push_back(run.settings);
    return addRunsToFile(command.study.path, settings, study::RunKind::Augment);
}

/// The runs with these ids, executed by this program as `quadric run` does.
void executeRuns(const OptimizeCommand& command, const std::vector<int>& ids)
{
    std::string list;
    for (const int id : ids)
        list += (list.empty() ? "" : ",") + std::to_string(id);
    QProcess runner;
    runner.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    runner.start(QCoreApplication::applicationFilePath(),
                 {"run", QString::fromStdString(command.study.path), "--only", QString::fromStdString(list),
                  "--keep-going", "--short-looks", "--json"});
    runner.waitForFinished(-1);
    const study::Study study = readStudy(command.study.path);
    const bool hasEnded = std::ranges::all_of(ids, [&](int id) {
        const study::Run* run = study::findRun(study, id);
        return run != nullptr &&
               (run->status == study::RunStatus::Done || run->status == study::RunStatus::Failed);
    });
    if (!hasEnded)
        throw WorkError("the runner stopped before " + text::formatRuns(ids) + " had ended");
}

double secondsOfRuns(const study::Study& study, const std::vector<int>& ids)
{
    double sum = 0.0;
    for (const int id : ids) {
        const study::Run* run = study::findRun(study, id);
        sum += run != nullptr ? run->provenance.seconds.value_or(0.0) : 0.0;
    }
    return sum;
}

/// Asks, executes and asks again.
void goOn(const OptimizeCommand& command, double seconds)
{
    int argc = 1;
    std::string name = "quadric";
    char* argv[] = {name.data(), nullptr};
    const QCoreApplication application(argc, argv);
    double spent = 0.0;
    std::vector<SpendRound> rounds;
    while (spent < seconds) {
        const int slots_ = std::max(1, readStudy(command.study.path).benchmark.parallel);
        SpendPlan asked = planSpending(command, seconds - spent, slots_);
        if (asked.plan.runs.empty()) {
            rounds.push_back({asked, {}, spent});
            break;
        }
        const std::vector<int> ids = addPlanned(command, asked.plan);
        executeRuns(command, ids);
        asked.study = readStudy(command.study.path);
        spent += std::max(secondsOfRuns(asked.study, ids), 1e-3);
        rounds.push_back({asked, ids, spent});
        if (!command.study.json)
            printSpendRound(rounds.back());
    }
    if (command.study.json)
        printJson(spendRoundsJson(rounds));
    else if (!rounds.empty())
        std::cout << stopSentence(rounds.back().asked) << '\n';
}

/// `optimize --spend TIME`: the runs on which the time is spent best, what each may gain, and when to stop;
/// with `--add` they are added to the study, with `--go` executed, and the question is asked again until the
/// time is spent or no run is expected to gain enough. Throws UsageError and WorkError.
void spendTime(const OptimizeCommand& command)
{
    constexpr int kMostAtOnce = 100;
    const optimize::RunCriterion criterion = readRunCriterion(command);
    if (criterion != optimize::RunCriterion::Improvement && criterion != optimize::RunCriterion::Front)
        throw UsageError("--criterion: " + command.criterion +
                         ", expected improvement or front beside --spend");
    const double seconds = requirePositive("--spend", readDuration("--spend", command.spend));
    if (command.isGoing)
        return goOn(command, seconds);
    const SpendPlan asked = planSpending(command, seconds, kMostAtOnce);
    std::vector<int> added;
    if (command.isAdding && !asked.plan.runs.empty())
        added = addPlanned(command, asked.plan);
    if (command.study.json)
        printJson(spendJson(asked, added));
    else
        printSpend(asked, added);
}

void findCosts(const study::Study& study, const std::vector<model::Fit>& fits, const OptimizeCommand& command,
               const optimize::OptimizeOptions& options, Decision& decision)
{
    const bool isCurve = command.costOf.find('=') == std::string::npos;
    const auto [name, text] =
        isCurve ? std::pair(command.costOf, std::string()) : splitAssignment("--cost-of", command.costOf);
    const study::Factor& factor = requireFactor(study, "--cost-of", name);
    if (options.fixed.contains(name))
        throw UsageError("--cost-of " + name + ": the factor is fixed by --fix, expected one that is free");
    decision.costFactor = name;
    if (isCurve) {
        decision.costs = optimize::costCurve(study, fits, name, options);
        return;
    }
    decision.costs = {optimize::costOfFixing(study, fits, name, readValue(factor, "--cost-of", text), options,
                                             decision.optimum)};
    if (!decision.costs.front().isOk())
        throw WorkError("--cost-of " + command.costOf + ": " + decision.costs.front().held.message);
}

void findChances(const study::Study& study, const std::vector<model::Fit>& fits,
                 const OptimizeCommand& command, const optimize::OptimizeOptions& options, Decision& decision)
{
    optimize::ProbabilityOptions probability;
    probability.isCorrelated = command.isCorrelated;
    probability.varying = readSpreads(study, command);
    decision.limits = optimize::limitProbabilities(study, fits, decision.optimum.settings, probability);
    decision.robust = optimize::findRobust(study, fits, options, probability);
}

/// No setting is inside all limits: there is one that comes nearest, and nothing else to say about it.
bool isNearestOnly(const Decision& decision)
{
    return decision.optimum.status == optimize::OptimumStatus::ZeroDesirability;
}

/// `fits` are those from which settings are recommended, `polynomials` what next runs choose between as well.
Decision decide(const study::Study& study, const std::vector<model::Fit>& fits,
                const std::vector<model::Fit>& polynomials, const OptimizeCommand& command)
{
    const optimize::OptimizeOptions options = optionsOf(study, command);
    Decision decision;
    decision.optimum = optimize::findOptimum(study, fits, options);
    if (isNearestOnly(decision))
        return decision;
    if (!decision.optimum.isOk())
        throw WorkError("no optimum: " + decision.optimum.message);
    findFeasibility(study, options, decision);
    decision.region = optimize::findOptimumRegion(study, fits, decision.optimum, options);
    decision.measured = optimize::findBestMeasured(study, fits);
    decision.correction = optimize::correctOptimum(study, fits, decision.optimum, options);
    decision.front = optimize::tradeOffFront(study, fits, options);
    if (command.isRobust || command.isCorrelated)
        findChances(study, fits, command, options, decision);
    if (!command.varying.empty())
        decision.transmitted =
            optimize::propagateError(study, fits, decision.optimum.settings, readSpreads(study, command));
    if (command.isSensitive)
        decision.sensitivity = optimize::computeSensitivity(study, fits, decision.optimum, options);
    if (!command.costOf.empty())
        findCosts(study, fits, command, options, decision);
    if (command.nextRuns) {
        decision.criterion = readRunCriterion(command);
        decision.nextRuns = optimize::nextRunsByBetterModel(study, polynomials, *command.nextRuns,
                                                            decision.criterion, options);
        if (!decision.nextRuns->isOk())
            throw WorkError("no next runs: " + decision.nextRuns->message);
    }
    decision.confirmations = optimize::confirmationVerdicts(study, fits);
    decision.standing = report::judgeSetting(study, fits, decision.optimum.settings, decision.confirmations);
    return decision;
}

void findIdle(const study::Study& study, Decision& decision)
{
    std::vector<study::Settings> settings{decision.optimum.settings};
    for (const optimize::Solution& solution : decision.optimum.solutions)
        settings.push_back(solution.settings);
    for (const optimize::NextRun& run :
         decision.nextRuns ? decision.nextRuns->runs : std::vector<optimize::NextRun>())
        settings.push_back(run.settings);
    if (decision.robust && decision.robust->isOk())
        settings.push_back(decision.robust->settings);
    decision.idle = report::findIdleRanks(study, settings);
}

void addRuns(const OptimizeCommand& command, Decision& decision)
{
    std::vector<study::Settings> settings;
    if (command.confirm) {
        settings.assign(static_cast<std::size_t>(*command.confirm), decision.optimum.settings);
        decision.addedRuns = addRunsToFile(command.study.path, settings, study::RunKind::Confirmation);
    }
    if (!command.isAdding)
        return;
    settings.clear();
    for (const optimize::NextRun& run : decision.nextRuns->runs)
        settings.push_back(run.settings);
    const std::vector<int> added = addRunsToFile(command.study.path, settings, study::RunKind::Augment);
    decision.addedRuns.insert(decision.addedRuns.end(), added.begin(), added.end());
}

bool isByProcess(const model::Fit& fit)
{
    return fit.predictor != nullptr;
}

void refuseLeverage(const OptimizeCommand& command, const std::vector<model::Fit>& deciding)
{
    if (!command.maxLeverage.empty() && std::ranges::any_of(deciding, isByProcess))
        throw UsageError("--max-leverage: a Gaussian process has no leverage, expected a polynomial for "
                         "every response (--model)");
}

/// On other models: how well processes and polynomials predict, where processes decide.
void advise(const study::Study& study, const std::vector<model::Fit>& fits,
            const std::vector<model::Fit>& deciding, Decision& decision)
{
    const std::vector<model::Process> processes = processesBehind(study, deciding);
    decision.advice = processes.empty() ? report::describeAdvice(fits, model::recommendTogether(fits))
                                        : report::compareProcesses(study, fits, processes);
    if (!processes.empty())
        return;
    decision.adviceUse = " Use them with --recommended-models.";
    if (!decision.advice.empty())
        return;
    decision.advice = report::adviseProcesses(study, fits).sentence;
    decision.adviceUse = " Use it with --model gp.";
}

void findBest(const OptimizeCommand& command)
{
    if (!command.spend.empty())
        return spendTime(command);
    if (command.isGoing)
        throw UsageError("--go: nothing to execute, expected --spend TIME beside it");
    if (command.isAdding && !command.nextRuns)
        throw UsageError("--add: nothing to add, expected --next-runs K beside it");
    const study::Study study =
        withGoals(withSelection(readStudy(command.study.path), command.selection), command);
    const std::vector<model::Fit> fits = fitsOf(study, command.selection);
    const std::vector<model::Fit> deciding = decidingFitsOf(study, fits, command.selection);
    reportUnusable(deciding);
    refuseLeverage(command, deciding);
    Decision decision = decide(study, deciding, fits, command);
    findIdle(study, decision);
    advise(study, fits, deciding, decision);
    if (!isNearestOnly(decision))
        addRuns(command, decision);
    if (command.study.json)
        printJson(decisionJson(decision));
    else
        printDecision(study, decision);
    if (isNearestOnly(decision))
        throw WorkError("no optimum: " + decision.optimum.message);
}

} // namespace

void addOptimize(CommandLine& line)
{
    auto options = std::make_shared<OptimizeCommand>();
    Command& command = line.program.addCommand("optimize", "Find the best settings by desirability");
    addStudyOption(command, options->study);
    addFitOptions(command, options->selection);
    addOptimizeOptions(command, *options);
    command.whenCalled([options] { findBest(*options); });
}

} // namespace quadric::app
