// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/advice.h"

#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/merit/desirability.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/measurement_findings.h"
#include "core/study/run.h"
#include "core/study/run_records.h"
#include "core/study/space/constraint.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>

namespace quadric::report {

namespace {

constexpr auto kMendedByRuns =
    std::to_array<std::string_view>({"few-residual-df", "aliased-terms", "collinear-terms", "press-undefined",
                                     "curvature", "no-replicates", "no-significant-model"});

/// What is advised, for which responses, and how urgent it is.
struct Advice {
    std::string sentence;
    Severity severity;
    std::vector<std::string> responses;
};

void collect(const std::vector<Finding>& findings, const std::string& response, std::vector<Advice>& advice)
{
    for (const Finding& finding : findings) {
        if (finding.advice.empty())
            continue;
        auto known = std::ranges::find(advice, finding.advice, &Advice::sentence);
        if (known == advice.end())
            known = advice.insert(known, {finding.advice, finding.severity, {}});
        known->severity = std::max(known->severity, finding.severity);
        if (!response.empty() && std::ranges::find(known->responses, response) == known->responses.end())
            known->responses.push_back(response);
    }
}

std::string inWords(const Advice& advice)
{
    if (advice.responses.empty())
        return advice.sentence;
    return fill(catalogue::kAdviceFor,
                {{"names", text::joinWords(advice.responses)}, {"advice", advice.sentence}});
}

/// What the best setting still needs.
std::string_view stepOfBest(const optimize::Optimum& best,
                            const std::vector<optimize::Confirmation>& confirmations)
{
    if (!best.isOk())
        return catalogue::kFindModel;
    if (confirmations.empty())
        return catalogue::kConfirmBest;
    const optimize::Confirmation& last = confirmations.back();
    if (!last.hasVerdict())
        return catalogue::kAwaitConfirmation;
    return last.isConfirmed ? catalogue::kUseConfirmed : catalogue::kRefitAndRepeat;
}

using model::Fit;
using Sentences = std::vector<std::string>;

std::string labeled(const std::string& response, std::string sentence)
{
    return fill(catalogue::kOfResponse, {{"response", response}, {"sentence", std::move(sentence)}});
}

void addCounted(std::string_view pattern, std::ptrdiff_t count, Sentences& sentences)
{
    if (count > 0)
        sentences.push_back(fill(pattern, {{"n", std::to_string(count)}}, static_cast<std::size_t>(count)));
}

/// Said of the whole study.
bool isOfStudy(const Finding& warning)
{
    return warning.code == catalogue::kSimulated.code || warning.code == catalogue::kFailedRuns.code;
}

/// Each cause with the names of all responses that it is about; without those that a verdict gives as its
/// reason.
void addWarnings(const study::Study& study, const std::vector<Fit>& fits,
                 const std::vector<Verdict>& verdicts, Sentences& sentences)
{
    for (const Warning& warning : findWarnings(study, fits))
        if (!isOfStudy(warning.finding) && warning.finding.code != verdicts[warning.fit].reason.code)
            sentences.push_back(labeled(text::joinWords(warning.responses), warning.finding.sentence));
}

std::string valueOf(double value, const std::string& unit)
{
    return text::formatBriefly(value) + (unit.empty() ? "" : " " + unit);
}

void addMisses(const optimize::Confirmation& confirmation, Standing& standing)
{
    for (const optimize::ConfirmedResponse& row : confirmation.responses) {
        if (!row.halfWidths || row.isConfirmed())
            continue;
        const model::Interval& interval = *row.predicted.prediction;
        standing.reasons.push_back(fill(row.isInside ? catalogue::kScattered : catalogue::kMissed,
                                        {{"response", row.response},
                                         {"measured", valueOf(row.observed, row.unit)},
                                         {"low", text::formatBriefly(interval.low)},
                                         {"high", valueOf(interval.high, row.unit)}}));
    }
}

void addConfirmation(const optimize::Confirmation& confirmation, Standing& standing)
{
    using Outcome = optimize::ConfirmationOutcome;
    switch (confirmation.outcome()) {
    case Outcome::CannotRun:
        standing.severity = Severity::Red;
        standing.verdict = catalogue::kNotConfirmed;
        standing.reasons.push_back(confirmation.failure);
        return;
    case Outcome::Refuted:
        standing.severity = Severity::Red;
        standing.verdict = catalogue::kNotConfirmed;
        return addMisses(confirmation, standing);
    case Outcome::Disturbed:
        standing.severity = Severity::Amber;
        standing.verdict = catalogue::kNoVerdict;
        standing.reasons.push_back(fill(
            catalogue::kDisturbedRuns,
            {{"runs", text::formatRuns(confirmation.disturbed)},
             {"because", confirmation.disturbance.empty() ? "" : " (" + confirmation.disturbance + ")"}}));
        return;
    case Outcome::Confirmed:
        standing.verdict =
            fill(catalogue::kConfirmedBy, {{"runs", text::formatCount(confirmation.runs.size(), "run")}});
        return;
    case Outcome::Pending:
    case Outcome::NoResult:
    case Outcome::NoInterval:
        return;
    }
}

/// Runs at the setting that failed by what was run, of whatever kind.
void addFailures(const study::Study& study, const study::Settings& settings, Standing& standing)
{
    const auto feasibility = model::feasibilityOf(study);
    if (!feasibility || standing.isRejected())
        return;
    if (!feasibility->isKnownToFail(study::Coding(study.factors).toCoded(settings).x))
        return;
    standing.severity = Severity::Red;
    standing.verdict = catalogue::kNotToBeUsed;
    standing.reasons.push_back(describeRunProbability(study, settings));
}

/// Poor models of responses that count.
void addModels(const study::Study& study, const std::vector<model::Fit>& fits, Standing& standing)
{
    for (const model::Fit& fit : fits) {
        const study::Response* response = study::findResponse(study, fit.response);
        if (response == nullptr || !optimize::takesPart(*response))
            continue;
        std::string sentence = describePoorModel(fit);
        if (sentence.empty())
            continue;
        standing.severity = std::max(standing.severity, Severity::Amber);
        standing.reasons.push_back(std::move(sentence));
    }
}

} // namespace

Remedy findRemedy(const Finding& finding)
{
    if (finding.severity == Severity::Green)
        return Remedy::None;
    if (!finding.runs.empty())
        return Remedy::ShowRuns;
    const bool isMended = std::ranges::find(kMendedByRuns, finding.code) != kMendedByRuns.end();
    return isMended ? Remedy::AddRuns : Remedy::None;
}

std::vector<std::string> findNextSteps(const study::Study& study, const std::vector<model::Fit>& fits,
                                       const optimize::Optimum& best,
                                       const std::vector<optimize::Confirmation>& confirmations,
                                       std::size_t most)
{
    if (study.runs.empty())
        return {std::string(catalogue::kMakeDesign)};
    std::vector<std::string> steps;
    if (const auto left = static_cast<std::size_t>(study::countRuns(study, study::RunStatus::Pending));
        left > 0)
        steps.push_back(fill(catalogue::kExecuteRest, {{"n", std::to_string(left)}}, left));
    std::vector<Advice> advice;
    collect(pickCauses(findInMeasurement(study, fits)), {}, advice);
    for (const model::Fit& fit : fits)
        collect(pickCauses(findInFit(fit)), fit.response, advice);
    std::ranges::stable_sort(advice, std::ranges::greater{}, &Advice::severity);
    for (std::size_t i = 0; i < std::min(most, advice.size()); ++i)
        steps.push_back(inWords(advice[i]));
    steps.emplace_back(stepOfBest(best, confirmations));
    return steps;
}

std::string extrapolationCaution()
{
    return std::string(catalogue::kBestIsExtrapolation);
}

std::vector<std::string> findEvidence(const std::vector<Fit>& fits)
{
    Sentences sentences;
    for (const Fit& fit : fits) {
        const Verdict verdict = judgeFit(fit);
        if (verdict.severity == Severity::Green)
            sentences.push_back(labeled(fit.response, verdict.sentence));
    }
    return sentences;
}

std::vector<std::string> findCautions(const study::Study& study, const std::vector<Fit>& fits)
{
    Sentences sentences;
    if (study::hasSimulatedResults(study))
        sentences.emplace_back(catalogue::kSimulated.sentence);
    std::vector<Verdict> verdicts;
    verdicts.reserve(fits.size());
    for (const Fit& fit : fits) {
        const Verdict& verdict = verdicts.emplace_back(judgeFit(fit));
        if (verdict.severity != Severity::Green)
            sentences.push_back(labeled(fit.response, verdict.sentence));
    }
    addWarnings(study, fits, verdicts, sentences);
    for (const optimize::DependentResponses& pair : optimize::findDependentResponses(study, fits))
        sentences.push_back(
            fill(catalogue::kDependentResponses,
                 {{"first", pair.first},
                  {"second", pair.second},
                  {"r", text::formatDecimals(pair.correlation, 2, text::Typography::Typeset)}}));
    addCounted(catalogue::kFailed, study::countFailed(study), sentences);
    if (std::optional<Finding> boundary = describeBoundary(study))
        sentences.push_back(std::move(boundary->sentence));
    addCounted(catalogue::kDisturbed, std::ranges::count_if(study.runs, study::isDisturbed), sentences);
    addCounted(catalogue::kPending,
               study::countRuns(study, study::RunStatus::Pending) + study::countCancelled(study), sentences);
    return sentences;
}

Standing judgeSetting(const study::Study& study, const std::vector<model::Fit>& fits,
                      const study::Settings& settings,
                      const std::vector<optimize::Confirmation>& confirmations)
{
    Standing standing;
    if (const std::string violation = study::describeViolation(study, settings); !violation.empty()) {
        standing.severity = Severity::Red;
        standing.verdict = fill(catalogue::kInfeasible, {{"violation", violation}});
    } else if (const auto* confirmation = optimize::findConfirmation(confirmations, settings)) {
        addConfirmation(*confirmation, standing);
    }
    addFailures(study, settings, standing);
    addModels(study, fits, standing);
    return standing;
}

} // namespace quadric::report
