// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/answer_findings.h"

#include "core/model/process/process_choice.h"
#include "core/optimize/merit/desirability.h"
#include "core/optimize/search/search_space.h"
#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/study/run_records.h"

#include <algorithm>

namespace quadric::report {

namespace {

std::string wholeText(const study::IdleRanks& ranks)
{
    std::vector<std::string> counts;
    for (const int count : ranks.wholeCounts)
        counts.push_back(std::to_string(count));
    return text::formatList(counts, "or");
}

Finding makeIdleFinding(const study::IdleRanks& ranks)
{
    Finding finding = makeFinding(catalogue::kIdleRanks, {{"factor", ranks.factor},
                                                          {"count", std::to_string(ranks.count)},
                                                          {"nodes", std::to_string(ranks.nodes)},
                                                          {"size", std::to_string(ranks.node.ranks)},
                                                          {"idle", std::to_string(ranks.idle())},
                                                          {"all", std::to_string(ranks.all())},
                                                          {"source", ranks.node.source}});
    if (!ranks.wholeCounts.empty())
        finding.advice =
            fill(catalogue::kWholeCounts, {{"factor", ranks.factor}, {"counts", wholeText(ranks)}});
    return finding;
}

constexpr std::size_t kPlaces = 1000; ///< of the region, for its shares
constexpr int kStepsAlong = 80;

std::string methodText(model::FeasibilityMethod method)
{
    switch (method) {
    case model::FeasibilityMethod::Logistic:
        return "Firth logistic regression";
    case model::FeasibilityMethod::Process:
        return "Gaussian process with probit link";
    case model::FeasibilityMethod::Memory:
        return "unknown limit on the predicted peak memory";
    case model::FeasibilityMethod::MemoryLimit:
        return "predicted peak memory against the memory limit";
    case model::FeasibilityMethod::MemoryPerRank:
        return "unknown limit on the predicted peak memory of a rank";
    case model::FeasibilityMethod::MemoryEstimate:
        return "unknown limit on the memory that the workload expects to need";
    case model::FeasibilityMethod::MemoryEstimatePerRank:
        return "unknown limit on the memory that the workload expects a rank to need";
    case model::FeasibilityMethod::None:
        break;
    }
    return "";
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

std::string sharesText(const study::Study& study, const model::Feasibility& feasibility, double asked)
{
    optimize::OptimizeOptions everywhere;
    everywhere.leastRunsProbability = 0.0;
    const optimize::SearchSpace space(study, {}, everywhere);
    const std::vector<Eigen::VectorXd> places = optimize::legalSample(space, kPlaces, 1);
    double safe = 0.0;
    double failing = 0.0;
    for (const Eigen::VectorXd& x : places) {
        const double p = feasibility.probabilityAt(x);
        safe += p >= asked ? 1.0 : 0.0;
        failing += p < 0.5 ? 1.0 : 0.0;
    }
    const double count = std::max(1.0, static_cast<double>(places.size()));
    return fill(catalogue::kSharesOfRegion, {{"safe", text::formatPercent(safe / count)},
                                             {"asked", text::formatPercent(asked)},
                                             {"failing", text::formatPercent(failing / count)}});
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

std::string placeText(const study::Study& study, const model::Feasibility& feasibility, double asked)
{
    std::string sentences = sharesText(study, feasibility, asked);
    const study::Coding coding(study.factors);
    if (feasibility.probabilityAt(coding.center().x) < 0.5)
        return sentences;
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        const std::string crossing =
            study.factors[i].isNumeric() ? crossingText(study.factors[i], i, coding, feasibility) : "";
        sentences += (crossing.empty() ? "" : " ") + crossing;
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

std::string_view sentenceFor(const study::Study& study, const model::Fit& fit, const model::Process& process,
                             const model::ModelErrors& errors)
{
    if (!errors.isProcessBetter())
        return catalogue::kPolynomialIsBetter;
    return model::isProcessBetterThanByChance(study, fit, process) ? catalogue::kProcessIsBetter
                                                                   : catalogue::kProcessMayBeBetter;
}

std::string compareOne(const study::Study& study, const model::Fit& fit, const model::Process& process,
                       const model::ModelErrors& errors)
{
    return fill(sentenceFor(study, fit, process, errors),
                {{"response", fit.response},
                 {"model", fit.model},
                 {"process", text::formatPercent(errors.process.relative)},
                 {"polynomial", text::formatPercent(errors.polynomial.relative)}});
}

constexpr std::ptrdiff_t kMostAdvised = 8;

bool mayBeAdvised(const study::Study& study, const model::Fit& fit)
{
    const study::Response* response = study::findResponse(study, fit.response);
    return response != nullptr && optimize::takesPart(*response) &&
           !model::isProcessShown(study, fit.response);
}

std::string describeGain(const model::Fit& fit, const model::Process& process)
{
    const auto polynomial = model::leaveSettingOut(fit);
    return fill(polynomial ? catalogue::kProcessGain : catalogue::kProcessGainAlone,
                {{"response", fit.response},
                 {"process", text::formatPercent(process.leftOut.relative)},
                 {"polynomial", polynomial ? text::formatPercent(polynomial->relative) : ""}});
}

} // namespace

std::vector<Finding> findIdleRanks(const study::Study& study, const std::vector<study::Settings>& settings)
{
    std::vector<Finding> findings;
    for (const study::Settings& each : settings) {
        const auto ranks = study::idleRanksAt(study, each);
        if (!ranks)
            continue;
        Finding finding = makeIdleFinding(*ranks);
        if (std::ranges::find(findings, finding.sentence, &Finding::sentence) == findings.end())
            findings.push_back(std::move(finding));
    }
    return findings;
}

std::string describeIdleRanks(const study::Study& study, const study::Settings& settings)
{
    const auto ranks = study::idleRanksAt(study, settings);
    if (!ranks)
        return "";
    const Finding finding = makeIdleFinding(*ranks);
    return finding.advice.empty() ? finding.sentence : joinSentences({finding.sentence, finding.advice});
}

std::optional<Finding> findIdleCounts(const std::vector<int>& counts, const study::NodeSize& node)
{
    std::vector<std::string> idle;
    for (const int count : counts) {
        if (study::leavesIdle(count, node))
            idle.push_back(std::to_string(count));
    }
    if (idle.empty())
        return std::nullopt;
    return makeFinding(
        catalogue::kIdleCounts,
        {{"counts", text::formatList(idle)}, {"size", std::to_string(node.ranks)}, {"source", node.source}});
}

std::optional<Finding> describeBoundary(const study::Study& study, double asked)
{
    const auto feasibility = model::feasibilityOf(study);
    if (!feasibility)
        return std::nullopt;
    const model::RunOutcomes& outcomes = feasibility->outcomes();
    const bool isLearned = feasibility->method() != model::FeasibilityMethod::None;
    std::string place(catalogue::kUnlearned);
    std::string sureness;
    if (isLearned) {
        place = placeText(study, *feasibility, asked > 0.0 ? asked : optimize::kUsualRunsProbability);
        const model::FeasibilityScore& score = feasibility->scores().front();
        sureness = fill(catalogue::kSureness, {{"brier", text::formatDecimals(score.brier, 2)},
                                               {"method", methodText(score.method)}});
    }
    return makeFinding(catalogue::kBoundary,
                       {{"n", std::to_string(outcomes.countFailed())},
                        {"all", std::to_string(outcomes.size())},
                        {"causes", causesText(outcomes)},
                        {"place", place},
                        {"sureness", sureness}},
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

ProcessAdvice adviseProcesses(const study::Study& study, const std::vector<model::Fit>& fits,
                              const std::stop_token& stop)
{
    ProcessAdvice advice;
    if (std::ranges::count_if(fits, [&](const model::Fit& fit) { return mayBeAdvised(study, fit); }) >
        kMostAdvised)
        return advice;
    std::vector<std::string> gains;
    for (const model::Fit& fit : fits) {
        if (stop.stop_requested() || !fit.isOk() || !mayBeAdvised(study, fit))
            continue;
        const auto process = model::fitProcessCached(study, fit.response);
        if (!model::isProcessAdvised(study, fit, *process, stop))
            continue;
        advice.responses.push_back(fit.response);
        if (gains.empty())
            gains.push_back(describeGain(fit, *process));
    }
    if (advice.responses.size() > gains.size())
        gains.push_back(std::to_string(advice.responses.size() - gains.size()) + " more");
    if (!gains.empty())
        advice.sentence = fill(catalogue::kProcessAdvice, {{"gains", text::joinWords(gains)}});
    return advice;
}

std::string compareProcesses(const study::Study& study, const std::vector<model::Fit>& fits,
                             const std::vector<model::Process>& processes)
{
    std::vector<std::string> sentences;
    for (const model::ModelErrors& errors : model::compareErrors(fits, processes))
        sentences.push_back(
            compareOne(study, *std::ranges::find(fits, errors.response, &model::Fit::response),
                       *std::ranges::find(processes, errors.response, &model::Process::response), errors));
    return joinSentences(sentences);
}

std::vector<std::string> describeCorrection(const study::Study& study, const optimize::Optimum& optimum,
                                            const optimize::OptimumCorrection& correction,
                                            text::Typography typography)
{
    std::vector<std::string> sentences;
    for (const optimize::CorrectedPrediction& row : correction.responses) {
        const study::Response* response = study::findResponse(study, row.response);
        const auto at =
            std::ranges::find(optimum.responses, row.response, &optimize::ResponseAtOptimum::response);
        if (response == nullptr || response->goal == study::Goal::None || at == optimum.responses.end() ||
            !row.prediction)
            continue;
        const double half = (row.prediction->high - row.prediction->low) / 2.0;
        const std::string predicted = text::formatNumber(at->predicted.mean, half, typography);
        const std::string corrected = text::formatNumber(row.mean, half, typography);
        if (predicted != corrected)
            sentences.push_back(
                fill(catalogue::kCorrectedPrediction,
                     {{"response", row.response},
                      {"predicted", predicted + (response->unit.empty() ? "" : " " + response->unit)},
                      {"corrected", corrected},
                      {"range", text::formatRange(row.prediction->low, row.prediction->high, typography)}}));
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
