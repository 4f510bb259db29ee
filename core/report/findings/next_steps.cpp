// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/next_steps.h"

#include "core/report/catalogue.h"
#include "core/report/catalogue/next_step_sentences.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/measurement_findings.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

/// What is advised, for which responses, and how urgent it is.
struct Advice {
    std::string sentence;
    Severity severity;
    std::vector<std::string> responses;
};

void collect(const std::vector<Finding>& findings, const std::string& response, std::vector<Advice>& advice)
{
    for (const Finding& finding : findings) {
        if (finding.advice.empty() || finding.severity == Severity::Green)
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

} // namespace

std::vector<std::string> findNextSteps(const study::Study& study, const std::vector<model::Fit>& fits,
                                       const std::vector<model::Recommendation>& scales,
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
    collect(findInMeasurement(study, fits), {}, advice);
    for (std::size_t i = 0; i < fits.size(); ++i)
        collect(findInModel(fits[i], scales[i]), fits[i].response, advice);
    std::ranges::stable_sort(advice, std::ranges::greater{}, &Advice::severity);
    for (std::size_t i = 0; i < std::min(most, advice.size()); ++i)
        steps.push_back(inWords(advice[i]));
    steps.emplace_back(stepOfBest(best, confirmations));
    return steps;
}

} // namespace quadric::report
