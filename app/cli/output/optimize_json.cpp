// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/finding_output.h"
#include "app/cli/output/interval_output.h"
#include "app/cli/output/optimize_output.h"

namespace quadric::app {

namespace {

Json valueJson(const study::Value& value)
{
    if (const double* number = std::get_if<double>(&value))
        return *number;
    return std::get<std::string>(value);
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
                             {"default_limit", row.isDefault},
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

Json sensitivityJson(const optimize::GoalSensitivity& row)
{
    return {{"response", row.response},
            {"parameter", optimize::nameOf(row.parameter)},
            {"value", row.value},
            {"step", row.step},
            {"slope", row.slope},
            {"overall_below", row.overallBelow},
            {"overall_above", row.overallAbove},
            {"settings_below", jsonOf(row.settingsBelow)},
            {"settings_above", jsonOf(row.settingsAbove)},
            {"moved", row.moved}};
}

Json costJson(const std::string& factor, const optimize::FixedCost& cost)
{
    return {{"factor", factor},
            {"value", valueJson(cost.value)},
            {"overall", cost.held.overall},
            {"loss", cost.overall},
            {"settings", jsonOf(cost.held.settings)},
            {"responses", listOf(cost.held.responses, responseJson)},
            {"response_loss", pairsJson(cost.responses)}};
}

Json nextRunsJson(const optimize::NextRuns& next)
{
    return {{"message", next.message},
            {"model", next.isByProcess ? "gp" : "polynomial"},
            {"errors", listOf(next.errors,
                              [](const model::ModelErrors& error) {
                                  return Json{{"response", error.response},
                                              {"polynomial", error.polynomial.relative},
                                              {"gp", error.process.relative}};
                              })},
            {"runs", listOf(next.runs, [](const optimize::NextRun& run) {
                 return Json{{"settings", jsonOf(run.settings)},
                             {"gain", run.gain},
                             {"gain_is_share", run.isShareOfBest},
                             {"overall", run.overall},
                             {"repeat", run.isRepeat}};
             })}};
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
                 {"methods", listOf(feasibility.scores(),
                                    [](const model::FeasibilityScore& score) {
                                        return Json{{"method", model::nameOf(score.method)},
                                                    {"log_score", score.logScore},
                                                    {"brier", score.brier}};
                                    })},
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
    if (!decision.sensitivity.empty())
        json["sensitivity"] = listOf(decision.sensitivity, sensitivityJson);
    if (!decision.costFactor.empty())
        json["cost"] = listOf(decision.costs, [&](const optimize::FixedCost& cost) {
            return costJson(decision.costFactor, cost);
        });
    if (decision.nextRuns)
        json["next_runs"] = nextRunsJson(*decision.nextRuns);
    if (!decision.confirmations.empty())
        json["confirmation"] = confirmationJson(decision.confirmations);
    if (!decision.addedRuns.empty())
        json["added_runs"] = decision.addedRuns;
}

} // namespace

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
    json["advice"] = decision.advice;
    json["rejected"] = decision.standing.isRejected();
    json["verdict"] = decision.standing.verdict;
    json["cautions"] = decision.standing.reasons;
    json["findings"] = listOf(decision.idle, findingJson);
    if (!decision.correction.responses.empty())
        json["corrected"] = correctedJson(decision.correction);
    addOptional(decision, json);
    return json;
}

} // namespace quadric::app
