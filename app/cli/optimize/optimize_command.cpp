// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/optimize/optimize_options.h"
#include "app/cli/output/optimize_output.h"
#include "core/optimize/next/run_plan.h"
#include "core/report/findings/advice.h"
#include "core/report/findings/answer_findings.h"
#include "core/study/study.h"

#include <memory>

namespace quadric::app {

namespace {

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
    if (const auto boundary = report::describeBoundary(study))
        decision.avoidance.push_back(boundary->sentence);
}

void findChances(const study::Study& study, const std::vector<model::Fit>& fits,
                 const OptimizeCommand& command, const optimize::OptimizeOptions& options, Decision& decision)
{
    optimize::ProbabilityOptions probability;
    probability.isCorrelated = command.isCorrelated;
    probability.varying = readSpreads(study, command);
    decision.limits = optimize::limitProbabilities(study, fits, decision.optimum.settings, probability);
    if (decision.limits->probability)
        decision.robust = optimize::findRobust(study, fits, options, probability);
}

/// No setting is inside all limits: there is one that comes nearest, and nothing else to say about it.
bool isNearestOnly(const Decision& decision)
{
    return decision.optimum.status == optimize::OptimumStatus::ZeroDesirability;
}

Decision decide(const study::Study& study, const std::vector<model::Fit>& fits,
                const OptimizeCommand& command)
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
    decision.confirmations = optimize::confirmationVerdicts(study, fits);
    decision.standing = report::judgeSetting(study, fits, decision.optimum.settings, decision.confirmations);
    return decision;
}

void findBest(const OptimizeCommand& command)
{
    const study::Study study = withGoals(readAnalyzedStudy(command.study.path, command.selection), command);
    const std::vector<model::Fit> fits = fitsOf(study, command.selection);
    reportUnusable(fits);
    Decision decision = decide(study, fits, command);
    if (command.confirm && !isNearestOnly(decision))
        decision.addedRuns =
            addRunsToFile(command.study.path,
                          std::vector(static_cast<std::size_t>(*command.confirm), decision.optimum.settings),
                          study::RunKind::Confirmation);
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
