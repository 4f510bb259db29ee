// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/optimize_output.h"

#include "app/cli/interval_output.h"
#include "app/cli/text_table.h"

#include <iostream>

namespace quadric::app {

namespace {

using Cells = std::vector<TextTable::Cell>;

std::string percentText(double probability)
{
    return numberText(100.0 * probability, 4) + " %";
}

void addSettings(const study::Study& study, const study::Settings& settings, Cells& row)
{
    for (const study::Factor& factor : study.factors) {
        const auto value = settings.find(factor.name);
        if (value == settings.end())
            row.emplace_back(std::string("–"));
        else if (const double* number = std::get_if<double>(&value->second))
            row.emplace_back(numberText(*number, 6));
        else
            row.emplace_back(std::get<std::string>(value->second));
    }
}

std::vector<std::string> withFactors(const study::Study& study, std::vector<std::string> headings)
{
    for (const study::Factor& factor : study.factors)
        headings.push_back(factor.name);
    return headings;
}

std::string certaintyText(const optimize::Optimum& optimum)
{
    if (optimum.isProven)
        return "No setting of the region does better (proven).";
    return "Not proven to be the best: nothing in the region exceeds " + numberText(optimum.bound, 4) + ".";
}

void printOptimum(const study::Study& study, const optimize::Optimum& optimum)
{
    std::cout << (optimum.isOk() ? "Best settings: " : "Nearest settings: ")
              << settingsText(study, optimum.settings) << "\nOverall desirability "
              << numberText(optimum.overall, 4) << ". " << (optimum.isOk() ? certaintyText(optimum) : "")
              << "\n\n";
    TextTable table(
        {"response", "predicted", "prediction interval", "desirability", "best alone", "sacrifice"});
    for (const optimize::ResponseAtOptimum& response : optimum.responses)
        table.addRow({response.response, numberText(response.predicted.mean),
                      intervalText(response.predicted.prediction), numberText(response.desirability, 4),
                      numberText(response.bestAlone), numberText(response.sacrifice, 4)});
    table.print(std::cout);
    if (optimize::isExtrapolation(optimum))
        std::cout
            << "\nExtrapolation: outside the region covered by runs. Confirm it before relying on it.\n";
    if (optimum.isOk() && !optimum.message.empty())
        std::cout << '\n' << optimum.message << '\n';
}

void printSolutions(const study::Study& study, const optimize::Optimum& optimum)
{
    TextTable table(withFactors(study, {"solution", "overall", "kind"}));
    double rank = 0.0;
    for (const optimize::Solution& solution : optimum.solutions) {
        Cells row = {++rank, numberText(solution.overall, 4),
                     std::string(solution.isOptimum ? "optimum" : "beside it")};
        addSettings(study, solution.settings, row);
        table.addRow(std::move(row));
    }
    std::cout << '\n';
    table.print(std::cout);
}

void printLimits(const optimize::AllLimits& limits, const std::string& where)
{
    if (!limits.probability) {
        std::cout << "\nNo probability for the limits: " << limits.assumption << '\n';
        return;
    }
    std::cout << "\nProbability that one run meets all limits " << where << ": "
              << percentText(*limits.probability) << ". " << limits.assumption << '\n';
    TextTable table({"response", "from", "to", "probability"});
    for (const optimize::LimitProbability& row : limits.responses)
        table.addRow({row.response, numberText(row.low), numberText(row.high),
                      percentText(row.probability) + (row.isDefault ? " (limit from the runs)" : "")});
    table.print(std::cout);
}

void printRobust(const study::Study& study, const optimize::RobustOptimum& robust)
{
    if (!robust.isOk()) {
        std::cout << "\nNo setting with the best chance: " << robust.message << '\n';
        return;
    }
    std::cout << "\nBest chance to keep all limits: " << settingsText(study, robust.settings)
              << "\nOverall desirability there " << numberText(robust.assessment.overall, 4) << '\n';
    printLimits(robust.limits, "there");
}

void printTransmitted(const std::vector<optimize::TransmittedError>& rows)
{
    std::vector<std::string> headings = {"response", "transmitted sd", "shift of the mean", "sd of a run"};
    for (const auto& [factor, sd] : rows.front().factors)
        headings.push_back("by " + factor);
    TextTable table(headings);
    for (const optimize::TransmittedError& row : rows) {
        Cells cells = {row.response, numberText(row.sd, 4), numberText(row.shift, 4),
                       numberText(row.total, 4)};
        for (const auto& [factor, sd] : row.factors)
            cells.emplace_back(numberText(sd, 4));
        table.addRow(std::move(cells));
    }
    std::cout << "\nError that varying settings transmit:\n";
    table.print(std::cout);
}

void printSensitivity(const std::vector<optimize::GoalSensitivity>& rows)
{
    TextTable table({"response", "parameter", "value", "step", "overall one step down", "one step up",
                     "settings move (coded)"});
    for (const optimize::GoalSensitivity& row : rows)
        table.addRow({row.response, std::string(optimize::nameOf(row.parameter)), numberText(row.value),
                      numberText(row.step, 4), numberText(row.overallBelow, 4),
                      numberText(row.overallAbove, 4), numberText(row.moved, 3)});
    std::cout << "\nHow the answer follows weights and limits:\n";
    table.print(std::cout);
}

void printCosts(const Decision& decision)
{
    std::vector<std::string> headings = {decision.costFactor, "overall", "loss"};
    for (const optimize::ResponseAtOptimum& response : decision.optimum.responses)
        headings.push_back(response.response);
    TextTable table(headings);
    for (const optimize::FixedCost& cost : decision.costs) {
        Cells row = {study::toText(cost.value), numberText(cost.held.overall, 4),
                     numberText(cost.overall, 4)};
        for (const optimize::ResponseAtOptimum& response : cost.held.responses)
            row.emplace_back(numberText(response.predicted.mean));
        table.addRow(std::move(row));
    }
    std::cout << "\nWhat holding " << decision.costFactor << " costs (everything else at its best):\n";
    table.print(std::cout);
}

void printNextRuns(const study::Study& study, const optimize::NextRuns& next)
{
    std::cout << "\nRuns worth spending. " << next.message << '\n';
    if (next.runs.empty())
        return;
    TextTable table(withFactors(study, {"run", "gain", "predicted overall"}));
    double rank = 0.0;
    for (const optimize::NextRun& run : next.runs) {
        Cells row = {++rank, numberText(run.gain, 4), numberText(run.overall, 4)};
        addSettings(study, run.settings, row);
        table.addRow(std::move(row));
    }
    table.print(std::cout);
}

void printFrontSize(const std::vector<optimize::FrontPoint>& front)
{
    if (front.size() > 1)
        std::cout << "\nTrade-off front: " << front.size()
                  << " settings of which none is better in all responses "
                  << "(--json lists them)\n";
}

void printAddedRuns(const std::vector<int>& runs)
{
    std::cout << "\nAdded to the study: run";
    for (std::size_t i = 0; i < runs.size(); ++i)
        std::cout << (i == 0 ? runs.size() == 1 ? " " : "s " : ", ") << runs[i];
    std::cout << '\n';
}

} // namespace

void printConfirmations(const study::Study& study, const std::vector<optimize::Confirmation>& confirmations)
{
    for (const optimize::Confirmation& confirmation : confirmations) {
        std::cout << "\nConfirmation at " << settingsText(study, confirmation.settings) << ": ";
        if (confirmation.responses.empty())
            std::cout << "no result yet.\n";
        else
            std::cout << (confirmation.isConfirmed ? "confirmed.\n" : "not confirmed.\n");
        for (const optimize::ConfirmedResponse& row : confirmation.responses)
            std::cout << "  " << row.sentence << '\n';
        if (confirmation.pending > 0)
            std::cout << "  Still to come: " << confirmation.pending
                      << (confirmation.pending == 1 ? " run.\n" : " runs.\n");
    }
}

void printDecision(const study::Study& study, const Decision& decision)
{
    printOptimum(study, decision.optimum);
    if (!decision.optimum.isOk())
        return;
    printSolutions(study, decision.optimum);
    printFrontSize(decision.front);
    if (decision.limits)
        printLimits(*decision.limits, "at the best settings");
    if (decision.robust)
        printRobust(study, *decision.robust);
    if (!decision.transmitted.empty())
        printTransmitted(decision.transmitted);
    if (!decision.sensitivity.empty())
        printSensitivity(decision.sensitivity);
    if (!decision.costFactor.empty())
        printCosts(decision);
    if (decision.nextRuns)
        printNextRuns(study, *decision.nextRuns);
    printConfirmations(study, decision.confirmations);
    if (!decision.addedRuns.empty())
        printAddedRuns(decision.addedRuns);
}

} // namespace quadric::app
