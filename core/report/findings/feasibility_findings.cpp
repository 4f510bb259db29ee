// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/feasibility_findings.h"

#include "core/optimize/search/pattern_search.h"
#include "core/report/catalogue/feasibility_sentences.h"
#include "core/study/outcome.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

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

} // namespace

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

} // namespace quadric::report
