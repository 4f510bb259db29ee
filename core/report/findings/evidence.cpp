// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/evidence.h"

#include "core/model/base/thresholds.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/findings/feasibility_findings.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/measurement_findings.h"
#include "core/study/disturbance.h"
#include "core/study/outcome.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

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

int pureErrorDf(const Fit& fit)
{
    const model::AnovaRow* row = model::rowOf(fit, "Pure error");
    return row != nullptr && row->ss > 0 ? row->df : 0;
}

/// Said of the whole study.
bool isOfStudy(const Finding& warning)
{
    return warning.code == catalogue::kSimulated.code || warning.code == catalogue::kFailedRuns.code;
}

/// Each warning once, with the names of all responses that it is about; without those that a verdict gives as
/// its reason.
void addWarnings(const std::vector<Fit>& fits, Sentences& sentences)
{
    std::vector<std::pair<std::string, std::string>> grouped; ///< warning and names
    for (const Fit& fit : fits)
        for (const Finding& warning : warningsOf(fit)) {
            if (isOfStudy(warning) || warning.code == judgeFit(fit).reason.code)
                continue;
            const auto group =
                std::ranges::find(grouped, warning.sentence, &std::pair<std::string, std::string>::first);
            if (group == grouped.end())
                grouped.emplace_back(warning.sentence, fit.response);
            else
                group->second += ", " + fit.response;
        }
    for (const auto& [sentence, names] : grouped)
        sentences.push_back(labeled(names, sentence));
}

} // namespace

std::string extrapolationCaution()
{
    return std::string(catalogue::kBestIsExtrapolation);
}

std::vector<std::string> findEvidence(const study::Study& study, const std::vector<Fit>& fits)
{
    Sentences sentences;
    for (const Fit& fit : fits) {
        const Verdict verdict = judgeFit(fit);
        if (verdict.severity == Severity::Green)
            sentences.push_back(labeled(fit.response, verdict.sentence));
        if (const int df = fit.isOk() ? pureErrorDf(fit) : 0; df >= model::kFewResidualDf)
            sentences.push_back(labeled(
                fit.response, fill(catalogue::kReplicates, {{"df", text::formatCount(df, "degree")}})));
    }
    const bool isMeasured = std::ranges::all_of(study.runs, [](const study::Run& run) {
        return run.status != study::RunStatus::Done || run.provenance.source == study::Source::Measured;
    });
    if (isMeasured && study::countRuns(study, study::RunStatus::Done) > 0)
        sentences.emplace_back(catalogue::kAllMeasured);
    return sentences;
}

std::vector<std::string> findCautions(const study::Study& study, const std::vector<Fit>& fits)
{
    Sentences sentences;
    if (study::hasSimulatedResults(study))
        sentences.emplace_back(catalogue::kSimulated.sentence);
    for (const Fit& fit : fits) {
        const Verdict verdict = judgeFit(fit);
        if (verdict.severity != Severity::Green)
            sentences.push_back(labeled(fit.response, verdict.sentence));
    }
    addWarnings(fits, sentences);
    for (Finding& finding : findInRunOrder(study))
        sentences.push_back(std::move(finding.sentence));
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

} // namespace quadric::report
