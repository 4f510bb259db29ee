// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/optimize_output.h"

#include "app/cli/output/interval_output.h"
#include "core/optimize/answer/rounding.h"
#include "core/report/findings/node_findings.h"
#include "core/report/findings/optimism_sentences.h"
#include "core/report/table_text.h"
#include "core/report/tables/answer_tables.h"
#include "core/report/tables/place_tables.h"
#include "core/text/visible_text.h"

#include <iostream>

namespace quadric::app {

namespace {

std::string certaintyText(const optimize::Optimum& optimum)
{
    if (optimum.isProven)
        return "No setting of the region does better (proven).";
    return "Not proven to be the best: nothing in the region exceeds " + desirabilityText(optimum.bound) +
           ".";
}

void printOptimum(const study::Study& study, const optimize::Optimum& optimum)
{
    std::cout << (optimum.isOk() ? "Best settings: " : "Nearest settings: ")
              << settingsText(study, optimum.settings, optimum.indifferent) << "\nOverall desirability "
              << desirabilityText(optimum.overall) << ". " << (optimum.isOk() ? certaintyText(optimum) : "")
              << "\n\n";
    std::cout << renderTerminal(report::makeOptimumTable(study, optimum));
    if (optimize::isExtrapolation(optimum))
        std::cout
            << "\nExtrapolation: outside the region covered by runs. Confirm it before relying on it.\n";
    if (optimum.isOk() && !optimum.message.empty())
        std::cout << '\n' << optimum.message << '\n';
}

void printLimits(const optimize::AllLimits& limits, const std::string& where)
{
    if (!limits.probability) {
        std::cout << "\nNo probability for the limits: " << limits.assumption << '\n';
        return;
    }
    std::cout << "\nProbability that one run meets all limits " << where << ": "
              << text::formatPercent(*limits.probability) << ". " << limits.assumption << '\n';
    std::cout << renderTerminal(report::makeLimitTable(limits));
}

void printRobust(const study::Study& study, const optimize::RobustOptimum& robust)
{
    if (!robust.isOk()) {
        std::cout << "\nNo most robust setting: " << robust.message << '\n';
        return;
    }
    std::cout << "\nMost robust setting: " << settingsText(study, robust.settings)
              << "\nOverall desirability there " << desirabilityText(robust.assessment.overall) << '\n';
    if (const std::string idle = report::describeIdleRanks(study, robust.settings); !idle.empty())
        std::cout << text::makeVisible(idle) << '\n';
    printLimits(robust.limits, "there");
    if (robust.corrected)
        std::cout << "After correction for selecting the best setting: "
                  << text::formatPercent(*robust.corrected) << ".\n";
}

void printNextRuns(const study::Study& study, const optimize::NextRuns& next,
                   optimize::RunCriterion criterion)
{
    std::cout << "\nSuggested runs. " << next.message << '\n';
    if (next.runs.empty())
        return;
    std::cout << renderTerminal(report::makeNextRunTable(study, next.runs, criterion));
}

void printFrontSize(const std::vector<optimize::FrontPoint>& front)
{
    if (front.size() > 1)
        std::cout << "\nPareto front: " << front.size()
                  << " settings of which none is better in all responses "
                  << "(--json lists them)\n";
}

std::string outcomeText(const optimize::Confirmation& confirmation)
{
    using Outcome = optimize::ConfirmationOutcome;
    switch (confirmation.outcome()) {
    case Outcome::Pending:
    case Outcome::NoResult:
        return "no result yet.";
    case Outcome::Disturbed:
        return "no verdict yet. Disturbed while measured: " + text::formatRuns(confirmation.disturbed) +
               (confirmation.disturbance.empty()
                    ? "."
                    : " (" + text::makeVisible(confirmation.disturbance) + ").") +
               " Measure again.";
    case Outcome::NoInterval:
        return "no verdict: the models leave no degrees of freedom for an interval.";
    case Outcome::Confirmed:
        return "confirmed.";
    case Outcome::Refuted:
    case Outcome::CannotRun:
        break;
    }
    return "not confirmed. Do not use it.";
}

void printStanding(const report::Standing& standing)
{
    if (!standing.verdict.empty())
        std::cout << standing.verdict << '\n';
    for (const std::string& reason : standing.reasons)
        std::cout << text::makeVisible(reason) << '\n';
    if (!standing.verdict.empty() || !standing.reasons.empty())
        std::cout << '\n';
}

void printAvoidance(const Decision& decision)
{
    for (const std::string& sentence : decision.avoidance)
        std::cout << '\n' << text::makeVisible(sentence) << '\n';
}

} // namespace

void printConfirmations(const study::Study& study, const std::vector<optimize::Confirmation>& confirmations)
{
    for (const optimize::Confirmation& confirmation : confirmations) {
        std::cout << "\nConfirmation at " << settingsText(study, confirmation.settings) << ": "
                  << outcomeText(confirmation) << '\n';
        if (!confirmation.failure.empty())
            std::cout << "  " << text::makeVisible(confirmation.failure) << '\n';
        for (const optimize::ConfirmedResponse& row : confirmation.responses)
            std::cout << "  " << row.sentence << '\n';
        if (confirmation.pending > 0)
            std::cout << "  Pending: " << text::formatCount(confirmation.pending, "run") << ".\n";
    }
}

void printDecision(const study::Study& study, const Decision& decision)
{
    if (!decision.advice.empty())
        std::cout << decision.advice << decision.adviceUse << "\n\n";
    printStanding(decision.standing);
    printOptimum(study, decision.optimum);
    if (!decision.optimum.isOk())
        return;
    printAvoidance(decision);
    for (const std::string& sentence :
         report::describeCorrection(study, decision.optimum, decision.correction))
        std::cout << '\n' << text::makeVisible(sentence) << '\n';
    std::cout << '\n' << report::describeRegion(study, decision.region) << '\n';
    printTable(report::makeSolutionTable(study, optimize::withRounded(decision.optimum)));
    printTable(report::makeMeasuredTable(study, decision.measured));
    printFrontSize(decision.front);
    if (decision.limits)
        printLimits(*decision.limits, "at the best settings");
    if (decision.robust)
        printRobust(study, *decision.robust);
    if (!decision.transmitted.empty())
        printTable(report::makeTransmittedTable(decision.transmitted));
    if (!decision.sensitivity.empty())
        printTable(report::makeSensitivityTable(decision.sensitivity));
    if (!decision.costFactor.empty())
        printTable(report::makeCostTable(decision.costFactor, decision.costs));
    if (decision.nextRuns)
        printNextRuns(study, *decision.nextRuns, decision.criterion);
    printConfirmations(study, decision.confirmations);
    if (!decision.addedRuns.empty())
        std::cout << "\nAdded to the study: " << text::formatRuns(decision.addedRuns) << '\n';
}

} // namespace quadric::app
