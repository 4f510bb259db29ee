// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/optimize_output.h"

#include "core/optimize/answer/rounding.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/table.h"
#include "core/report/tables/answer_tables.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <iostream>

namespace quadric::app {

Json intervalJson(const std::optional<model::Interval>& interval)
{
    return interval ? Json{interval->low, interval->high} : Json();
}

Json runProbabilityJson(const model::RunProbability& runs)
{
    return {{"probability", runs.probability}, {"low", runs.low}, {"high", runs.high}};
}

std::string intervalText(const std::optional<model::Interval>& interval)
{
    return interval ? text::formatRange(interval->low, interval->high) : std::string(text::kNothing);
}

std::optional<double> halfWidth(const std::optional<model::Interval>& interval)
{
    return interval ? std::optional((interval->high - interval->low) / 2.0) : std::nullopt;
}

std::string desirabilityText(double desirability)
{
    return formatCell(report::makeCell(desirability, report::Digits::Desirability));
}

namespace {

std::string certaintyText(const optimize::Optimum& optimum)
{
    if (optimum.isProven)
        return "No setting of the region does better (proven).";
    if (optimum.bound <= optimum.overall + 1e-6)
        return "No better setting was found.";
    return "Not proven to be the best: no setting of the region exceeds " + desirabilityText(optimum.bound) +
           ".";
}

void printOptimum(const study::Study& study, const optimize::Optimum& optimum)
{
    std::cout << (optimum.isOk() ? "Best settings: " : "Nearest settings: ")
              << settingsText(study, optimum.settings, optimum.indifferent) << "\nOverall desirability "
              << desirabilityText(optimum.overall) << '.'
              << (optimum.isOk() ? " " + certaintyText(optimum) : "") << "\n\n";
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
        std::cout << "\nNo probability of meeting limits: " << limits.assumption << '\n';
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
    printLimits(robust.limits, "there");
    if (robust.isCorrectionWorthWords())
        std::cout << "After correction for selecting the best setting: "
                  << text::formatPercent(*robust.corrected) << ".\n";
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

Json pairsJson(const std::vector<std::pair<std::string, double>>& pairs)
{
    Json object = Json::object();
    for (const auto& [name, value] : pairs)
        object[name] = value;
    return object;
}

Json responseJson(const optimize::ResponseAtOptimum& response)
{
    return {{"response", response.response},
            {"predicted", response.predicted.mean},
            {"desirability", response.desirability},
            {"prediction", intervalJson(response.predicted.prediction)},
            {"prediction_new_block", intervalJson(response.predicted.newBlock)},
            {"estimable", response.predicted.isEstimable},
            {"extrapolation", response.predicted.isExtrapolation},
            {"best_alone", response.bestAlone},
            {"sacrifice", response.sacrifice}};
}

Json solutionJson(const optimize::Solution& solution)
{
    return {{"overall", solution.overall},
            {"settings", jsonOf(solution.settings)},
            {"optimum", solution.isOptimum},
            {"responses", listOf(solution.predicted, [](const auto& predicted) {
                 return Json{{"response", predicted.first},
                             {"predicted", predicted.second.mean},
                             {"prediction", intervalJson(predicted.second.prediction)},
                             {"extrapolation", predicted.second.isExtrapolation}};
             })}};
}

Json correctedJson(const optimize::OptimumCorrection& correction)
{
    return {{"replicates", correction.replicates},
            {"responses", listOf(correction.responses, [](const optimize::CorrectedPrediction& row) {
                 return Json{{"response", row.response},
                             {"predicted", row.mean},
                             {"optimism", row.optimism},
                             {"confidence", intervalJson(row.confidence)},
                             {"prediction", intervalJson(row.prediction)}};
             })}};
}

Json limitsJson(const optimize::AllLimits& limits)
{
    return {{"probability", jsonOf(limits.probability)},
            {"assumption", limits.assumption},
            {"responses", listOf(limits.responses, [](const optimize::LimitProbability& row) {
                 return Json{{"response", row.response},
                             {"low", jsonOf(row.low)},
                             {"high", jsonOf(row.high)},
                             {"probability", row.probability}};
             })}};
}

Json robustJson(const optimize::RobustOptimum& robust)
{
    return {{"settings", jsonOf(robust.settings)},
            {"overall", robust.assessment.overall},
            {"limits", limitsJson(robust.limits)},
            {"corrected_probability", jsonOf(robust.corrected)},
            {"responses", listOf(robust.assessment.responses, responseJson)}};
}

Json transmittedJson(const optimize::TransmittedError& row)
{
    return {{"response", row.response},
            {"sd", row.sd},
            {"shift", row.shift},
            {"total_sd", jsonOf(row.total)},
            {"factors", pairsJson(row.factors)}};
}

Json regionJson(const optimize::OptimumRegion& region)
{
    if (region.isEmpty())
        return {{"message", region.message()}, {"factors", Json::array()}};
    return {{"confidence", region.confidence()},
            {"share", region.share()},
            {"factors", listOf(region.factors(), [](const optimize::FactorRange& range) {
                 Json json = {{"factor", range.factor}, {"any", range.isWhole}};
                 if (range.levels.empty())
                     json.update({{"low", range.low}, {"high", range.high}});
                 else
                     json["levels"] = range.levels;
                 return json;
             })}};
}

Json measuredJson(const optimize::MeasuredRun& run)
{
    return {{"run", run.run},
            {"overall", run.overall},
            {"settings", jsonOf(run.settings)},
            {"results", pairsJson(run.results)},
            {"confirming", run.isConfirming},
            {"disturbed", run.isDisturbed}};
}

Json feasibilityJson(const Decision& decision)
{
    const model::Feasibility& feasibility = *decision.feasibility;
    Json json = {{"method", model::nameOf(feasibility.method())},
                 {"settings_failed", feasibility.outcomes().countFailed()},
                 {"settings_run", feasibility.outcomes().countRun()},
                 {"sentences", decision.avoidance}};
    if (decision.runsAtBest)
        json["runs_probability"] = runProbabilityJson(*decision.runsAtBest);
    return json;
}

void addOptional(const Decision& decision, Json& json)
{
    if (decision.limits)
        json["limits"] = limitsJson(*decision.limits);
    if (decision.robust)
        json["robust"] = robustJson(*decision.robust);
    if (!decision.transmitted.empty())
        json["transmitted"] = listOf(decision.transmitted, transmittedJson);
    if (!decision.confirmations.empty())
        json["confirmation"] = confirmationJson(decision.confirmations);
    if (!decision.addedRuns.empty())
        json["added_runs"] = decision.addedRuns;
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
    const std::string region = report::describeRegion(study, decision.region);
    const bool isUndecided = report::mayAnySettingBeBest(decision.region);
    if (isUndecided)
        std::cout << region << "\n\n";
    printStanding(decision.standing);
    printOptimum(study, decision.optimum);
    if (!decision.optimum.isOk())
        return;
    printAvoidance(decision);
    for (const std::string& sentence :
         report::describeCorrection(study, decision.optimum, decision.correction))
        std::cout << '\n' << text::makeVisible(sentence) << '\n';
    if (!isUndecided)
        std::cout << '\n' << region << '\n';
    printTable(report::makeSolutionTable(study, optimize::withRounded(decision.optimum)));
    printTable(report::makeMeasuredTable(study, decision.measured));
    printFrontSize(decision.front);
    if (decision.limits)
        printLimits(*decision.limits, "at the best settings");
    if (decision.robust)
        printRobust(study, *decision.robust);
    if (!decision.transmitted.empty())
        printTable(report::makeTransmittedTable(decision.transmitted));
    printConfirmations(study, decision.confirmations);
    if (!decision.addedRuns.empty())
        std::cout << "\nAdded to the study: " << text::formatRuns(decision.addedRuns) << '\n';
}

Json confirmationJson(const std::vector<optimize::Confirmation>& confirmations)
{
    return listOf(confirmations, [](const optimize::Confirmation& confirmation) {
        return Json{{"settings", jsonOf(confirmation.settings)},
                    {"runs", confirmation.runs},
                    {"pending", confirmation.pending},
                    {"failed", confirmation.failed},
                    {"confirmed", confirmation.isConfirmed},
                    {"outcome", optimize::nameOf(confirmation.outcome())},
                    {"disturbed", confirmation.disturbed},
                    {"responses", listOf(confirmation.responses, [](const optimize::ConfirmedResponse& row) {
                         return Json{{"response", row.response},
                                     {"runs", row.runs},
                                     {"observed", row.observed},
                                     {"predicted", row.predicted.mean},
                                     {"prediction", intervalJson(row.predicted.ofNewRuns())},
                                     {"new_block", row.predicted.newBlock.has_value()},
                                     {"confidence", row.confidence},
                                     {"scatter_p", jsonOf(row.scatterP)},
                                     {"scattered", row.isScattered},
                                     {"inside", row.halfWidths ? Json(row.isInside) : Json()},
                                     {"distance", row.distance},
                                     {"half_widths", jsonOf(row.halfWidths)},
                                     {"sentence", row.sentence}};
                     })}};
    });
}

Json decisionJson(const Decision& decision)
{
    const optimize::Optimum& optimum = decision.optimum;
    Json json = {{"overall", optimum.overall},
                 {"proven", optimum.isProven},
                 {"bound", optimum.bound},
                 {"settings", jsonOf(optimum.settings)},
                 {"indifferent", optimum.indifferent}};
    json["responses"] = listOf(optimum.responses, responseJson);
    json["solutions"] = listOf(optimum.solutions, solutionJson);
    for (std::size_t i = 0; i < decision.runs.size(); ++i)
        json["solutions"][i]["runs_probability"] = decision.runs[i].probability;
    if (decision.feasibility)
        json["feasibility"] = feasibilityJson(decision);
    json["rounded"] = optimum.rounded ? solutionJson(*optimum.rounded) : Json();
    json["may_be_best"] = regionJson(decision.region);
    json["measured"] = listOf(decision.measured, measuredJson);
    json["front"] = listOf(decision.front, [](const optimize::FrontPoint& point) {
        return Json{{"settings", jsonOf(point.settings)}, {"responses", pairsJson(point.responses)}};
    });
    json["rejected"] = decision.standing.isRejected();
    json["verdict"] = decision.standing.verdict;
    json["cautions"] = decision.standing.reasons;
    if (!decision.correction.responses.empty())
        json["corrected"] = correctedJson(decision.correction);
    addOptional(decision, json);
    return json;
}

} // namespace quadric::app
