// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/optimize/added_runs.h"
#include "app/cli/optimize/decision_feasibility.h"
#include "app/cli/optimize/optimize_options.h"
#include "app/cli/optimize/spend.h"
#include "app/cli/output/optimize_output.h"
#include "core/model/select/recommended_models.h"
#include "core/report/findings/model_advice.h"
#include "core/report/findings/node_findings.h"
#include "core/report/findings/process_findings.h"

#include <algorithm>
#include <memory>

namespace quadric::app {

namespace {

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
        decision.sensitivity = optimize::sensitivityOf(study, fits, decision.optimum, options);
    if (!command.costOf.empty())
        findCosts(study, fits, command, options, decision);
    if (command.nextRuns) {
        decision.criterion = criterionOf(command);
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
    CLI::App* command = line.app.add_subcommand("optimize", "Find the best settings by desirability");
    addStudyOption(*command, options->study);
    addFitOptions(*command, options->selection);
    addOptimizeOptions(*command, *options);
    command->callback([options] { findBest(*options); });
}

} // namespace quadric::app
