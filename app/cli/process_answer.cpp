// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/process_answer.h"

#include "app/cli/added_runs.h"
#include "app/cli/decision_feasibility.h"
#include "core/optimize/process_optimum.h"
#include "core/report/findings/process_findings.h"

#include <algorithm>
#include <iostream>

namespace quadric::app {

namespace {

constexpr const char* kProcessModel = "gp";

/// What only a polynomial answers.
void refuseOthers(const OptimizeCommand& command)
{
    const bool isOther = command.nextRuns || command.isRobust || command.isCorrelated ||
                         command.isSensitive || !command.varying.empty() || !command.costOf.empty() ||
                         command.staysNearRuns || !command.maxLeverage.empty();
    if (isOther)
        throw UsageError("--model gp: only --runs-probability, --region, --fix, --goal, --weight, --limits, "
                         "--solutions, --confirm and --spend can stand beside it");
}

} // namespace

bool asksForProcess(const FitSelection& selection)
{
    return selection.model == kProcessModel;
}

FitSelection withoutModel(FitSelection selection)
{
    selection.model.clear();
    return selection;
}

std::vector<model::Process> processesOf(const study::Study& study, const FitSelection& selection)
{
    model::ProcessOptions options;
    options.confidence = selection.confidence;
    std::vector<model::Process> processes = model::fitProcesses(study, options);
    std::erase_if(processes, [&](const model::Process& process) {
        return !selection.response.empty() && process.response != selection.response;
    });
    for (const model::Process& process : processes) {
        if (!process.isOk())
            std::cerr << "quadric: no model for " << process.response << ": " << process.message << '\n';
    }
    if (std::ranges::none_of(processes, &model::Process::isOk))
        throw WorkError("no response has a usable Gaussian process");
    return processes;
}

void findBestByProcess(const OptimizeCommand& command)
{
    refuseOthers(command);
    const FitSelection selection = withoutModel(command.selection);
    const study::Study study = withGoals(withSelection(readStudy(command.study.path), selection), command);
    const std::vector<model::Process> processes = processesOf(study, selection);
    const optimize::OptimizeOptions options = optionsOf(study, command);
    Decision decision;
    decision.optimum = optimize::findProcessOptimum(study, processes, options);
    if (!decision.optimum.isOk())
        throw WorkError("no optimum: " + decision.optimum.message);
    findFeasibility(study, options, decision);
    decision.standing = report::judgeSetting(study, {}, decision.optimum.settings, {});
    decision.advice = report::compareProcesses(fitsOf(study, selection), processes);
    if (command.confirm)
        decision.addedRuns =
            addRunsToFile(command.study.path,
                          std::vector(static_cast<std::size_t>(*command.confirm), decision.optimum.settings),
                          study::RunKind::Confirmation);
    if (command.study.json)
        printJson(decisionJson(decision));
    else
        printProcessDecision(study, decision);
}

} // namespace quadric::app
