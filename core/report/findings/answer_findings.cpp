// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/answer_findings.h"

#include "core/optimize/merit/desirability.h"
#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

constexpr int kStepsAlong = 80;

std::string_view methodText(model::FeasibilityMethod method)
{
    return method == model::FeasibilityMethod::Memory ? "predicted peak memory against a limit"
                                                      : "Firth logistic regression";
}

std::string causesText(const model::RunOutcomes& outcomes)
{
    std::string list;
    for (const auto& [cause, count] : outcomes.causes) {
        std::string words = cause.empty() ? "failed" : cause;
        std::ranges::replace(words, '-', ' ');
        list += (list.empty() ? "" : ", ") + words;
    }
    return list;
}

/// Where along a numeric factor through the center the probability falls below a half; empty where it does
/// not.
std::string crossingText(const study::Factor& factor, std::size_t place, const study::Coding& coding,
                         const model::Feasibility& feasibility)
{
    Eigen::VectorXd x = coding.center().x;
    const auto i = static_cast<Eigen::Index>(place);
    for (int step = 1; step <= kStepsAlong; ++step) {
        for (const double side : {1.0, -1.0}) {
            x[i] = side * step / kStepsAlong;
            if (feasibility.probabilityAt(x) >= 0.5)
                continue;
            const std::string value = text::formatBriefly(coding.toActual(place, x[i]));
            return fill(catalogue::kFactorOfBoundary,
                        {{"factor", factor.name},
                         {"side", side > 0.0 ? ">" : "<"},
                         {"value", value + (factor.unit.empty() ? "" : " " + factor.unit)}});
        }
    }
    return "";
}

std::string placeText(const study::Study& study, const model::Feasibility& feasibility)
{
    std::string sentences;
    const study::Coding coding(study.factors);
    if (feasibility.probabilityAt(coding.center().x) < 0.5)
        return sentences;
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        const std::string crossing =
            study.factors[i].isNumeric() ? crossingText(study.factors[i], i, coding, feasibility) : "";
        sentences += crossing.empty() ? "" : crossing + " ";
    }
    return sentences;
}

std::vector<int> failedRuns(const study::Study& study)
{
    std::vector<int> runs;
    for (const study::Run& run : study.runs) {
        if (study::isFailureOfSettings(run))
            runs.push_back(run.id);
    }
    return runs;
}

/// By how much a corrected prediction is worse than the one at the optimum, in the sense of the goal.
double worthLost(const optimize::ResponseAtOptimum& at, double corrected)
{
    switch (at.goal) {
    case study::Goal::Maximize:
        return at.predicted.mean - corrected;
    case study::Goal::Minimize:
        return corrected - at.predicted.mean;
    case study::Goal::Target:
        return std::abs(corrected - at.target) - std::abs(at.predicted.mean - at.target);
    case study::Goal::None:
        break;
    }
    return 0.0;
}

} // namespace

std::optional<Finding> describeBoundary(const study::Study& study)
{
    const auto feasibility = model::feasibilityOf(study);
    if (!feasibility)
        return std::nullopt;
    const model::RunOutcomes& outcomes = feasibility->outcomes();
    return makeFinding(catalogue::kBoundary,
                       {{"n", std::to_string(outcomes.countFailed())},
                        {"all", std::to_string(outcomes.size())},
                        {"causes", causesText(outcomes)},
                        {"place", placeText(study, *feasibility)},
                        {"method", std::string(methodText(feasibility->method()))}},
                       failedRuns(study));
}

std::string describeRunProbability(const study::Study& study, const study::Settings& settings)
{
    const auto feasibility = model::feasibilityOf(study);
    if (!feasibility)
        return "";
    const Eigen::VectorXd x = study::Coding(study.factors).toCoded(settings).x;
    if (feasibility->isKnownToFail(x)) {
        const std::vector<int> runs = feasibility->failedRunsAt(x);
        return fill(catalogue::kFailedThere, {{"runs", text::formatRuns(runs)}}, runs.size());
    }
    if (feasibility->isKnownToRun(x))
        return std::string(catalogue::kRanThere);
    const model::RunProbability there = feasibility->at(x);
    return fill(catalogue::kProbabilityThere, {{"probability", text::formatPercent(there.probability)},
                                               {"low", text::formatPercent(there.low)},
                                               {"high", text::formatPercent(there.high)}});
}

std::vector<std::string> describeAvoidance(const study::Study& study, const study::Settings& recommended,
                                           double asked)
{
    std::vector<std::string> sentences;
    if (!model::feasibilityOf(study))
        return sentences;
    if (asked > 0.0)
        sentences.push_back(fill(catalogue::kLimitedAnswer,
                                 {{"asked", text::formatPercent(asked)},
                                  {"bound", asked > 0.5 ? " (lower end of the 95 % interval)" : ""}}));
    std::vector<int> refused;
    for (const study::Run& run : study.runs) {
        if (run.kind == study::RunKind::Confirmation && study::isFailureOfSettings(run) &&
            run.settings != recommended)
            refused.push_back(run.id);
    }
    if (!refused.empty())
        sentences.push_back(
            fill(catalogue::kMovedAnswer, {{"runs", text::formatRuns(refused)}}, refused.size()));
    return sentences;
}

std::vector<std::string> describeCorrection(const study::Study& study, const optimize::Optimum& optimum,
                                            const optimize::OptimumCorrection& correction,
                                            text::Typography typography)
{
    constexpr double kWorthWords = 0.25; // of half the interval
    std::vector<std::string> sentences;
    for (const optimize::CorrectedPrediction& row : correction.responses) {
        const study::Response* response = study::findResponse(study, row.response);
        const auto at =
            std::ranges::find(optimum.responses, row.response, &optimize::ResponseAtOptimum::response);
        if (response == nullptr || at == optimum.responses.end() || !at->predicted.ofNewRuns())
            continue;
        const model::Interval& shown = *at->predicted.ofNewRuns();
        const double half = (shown.high - shown.low) / 2.0;
        if (worthLost(*at, row.mean) > kWorthWords * half)
            sentences.push_back(fill(catalogue::kCorrectedPrediction,
                                     {{"response", row.response},
                                      {"predicted", text::formatNumber(at->predicted.mean, half, typography) +
                                                        (response->unit.empty() ? "" : " " + response->unit)},
                                      {"corrected", text::formatNumber(row.mean, half, typography)}}));
    }
    return sentences;
}

std::string describePlanEnd(const optimize::RunPlan& plan, double leastGain)
{
    if (!plan.isOk())
        return plan.message.empty() ? std::string(catalogue::kPlanSpent) : plan.message;
    if (plan.hasConverged)
        return fill(catalogue::kPlanConverged, {{"least", text::formatPercent(leastGain)}});
    return fill(catalogue::kPlanOutOfTime, {{"next", text::formatPercent(plan.nextGain)}});
}

std::string describeFailedRow(int runs)
{
    return fill(catalogue::kPlanFailed, {{"n", std::to_string(runs)}});
}

std::string describePlanTime(const optimize::RunPlan& plan)
{
    const std::string count = std::to_string(plan.runs.size());
    if (plan.seconds <= 0.0)
        return fill(catalogue::kPlanUntimed, {{"n", count}}, plan.runs.size());
    return fill(catalogue::kPlanTogether, {{"n", count}, {"time", text::formatDuration(plan.seconds)}},
                plan.runs.size());
}

} // namespace quadric::report
