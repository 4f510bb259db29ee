// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/fit_findings.h"

#include "core/model/fit/regression.h"
#include "core/model/select/fit_checks.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/findings/data_findings.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>

namespace quadric::report {

namespace {

void addValuesAtBound(const model::Fit& fit, Findings& findings)
{
    const model::Observations& data = fit.data->observations;
    std::vector<int> runs;
    for (Eigen::Index i = 0; fit.bounds && i < data.size(); ++i) {
        if (data.y[i] == fit.bounds->low || data.y[i] == fit.bounds->high)
            runs.push_back(data.runs[static_cast<std::size_t>(i)]);
    }
    if (!runs.empty() && fit.transform.inset > 0.0)
        findings.push_back(makeFinding(
            catalogue::kValuesAtBound,
            {{"response", fit.response}, {"inset", text::formatBriefly(fit.transform.inset)}}, runs));
}

void addRunsLeftOut(const model::Fit& fit, Findings& findings)
{
    if (!fit.data)
        return;
    const model::Observations& data = fit.data->observations;
    const auto add = [&](const Entry& entry, const std::vector<int>& runs) {
        if (!runs.empty())
            findings.push_back(makeFinding(entry, {{"response", fit.response}}, runs));
    };
    add(catalogue::kFailedRuns, data.failed);
    add(catalogue::kExcludedRuns, data.excluded);
    add(catalogue::kMissingResults, data.missing);
    addValuesAtBound(fit, findings);
}

void addCopies(const model::Fit& fit, Findings& findings)
{
    if (fit.data && !fit.data->observations.copies.groups.empty())
        findings.push_back(describeCopies(fit.data->observations.copies, fit.response));
}

void addSource(const model::Fit& fit, Findings& findings)
{
    if (fit.isSimulated)
        findings.push_back(makeFinding(catalogue::kSimulated));
}

/// What a fit that is not Ok lacks.
Finding findMissingModel(const model::Fit& fit)
{
    return makeFinding(catalogue::kNoModel, {{"message", fit.message}});
}

/// What decides whether a fit may be relied upon. Everything else that is found cautions about single runs,
/// terms or places without changing the verdict.
Findings findDeciding(const model::Fit& fit)
{
    if (!fit.isOk())
        return {findMissingModel(fit)};
    Findings findings;
    for (const auto add :
         {addPrediction, addDegreesOfFreedom, addSignificance, addCenterCurvature, addLackOfFit, addCopies})
        add(fit, findings);
    return findings;
}

struct Consequence {
    std::string_view cause, effect;
};

/// What follows from something else that is found is not said beside it.
constexpr auto kConsequences = std::to_array<Consequence>({{"copied-results", "zero-pure-error"},
                                                           {"copied-results", "no-replicates"},
                                                           {"copied-results", "press-undefined"},
                                                           {"few-residual-df", "press-undefined"},
                                                           {"outliers", "no-significant-model"},
                                                           {"outliers", "unequal-variance"},
                                                           {"outliers", "poor-prediction"},
                                                           {"outliers", "low-predicted-r2"}});

bool hasCode(const Findings& findings, std::string_view code)
{
    return std::ranges::any_of(
        findings, [&](const Finding& each) { return each.severity != Severity::Green && each.code == code; });
}

} // namespace

std::vector<Finding> findInFit(const model::Fit& fit)
{
    if (!fit.isOk())
        return {findMissingModel(fit)};
    Findings findings;
    for (const auto add :
         {addOutliers, addDegreesOfFreedom, addRunsLeftOut, addCopies, addTerms, addSignificance,
          addPrediction, addCenterCurvature, addLackOfFit, addDrift, addEqualVariance, addTransform})
        add(fit, findings);
    addBlocks(fit, findings);
    addImpossiblePredictions(fit, findings);
    addSource(fit, findings);
    return findings;
}

std::vector<Finding> pickWarnings(std::vector<Finding> findings)
{
    std::erase_if(findings, [](const Finding& finding) { return finding.severity == Severity::Green; });
    return findings;
}

std::vector<Finding> pickCauses(std::vector<Finding> findings)
{
    findings = pickWarnings(std::move(findings));
    const Findings all = findings;
    std::erase_if(findings, [&](const Finding& finding) {
        return std::ranges::any_of(kConsequences, [&](const Consequence& each) {
            return each.effect == finding.code && hasCode(all, each.cause);
        });
    });
    return findings;
}

std::vector<Finding> foldPassed(std::vector<Finding> findings)
{
    std::vector<std::string> topics;
    std::erase_if(findings, [&](const Finding& finding) {
        const bool isPassed = finding.severity == Severity::Green && !isFact(finding);
        if (isPassed)
            topics.push_back(finding.topic);
        return isPassed;
    });
    if (!topics.empty())
        findings.push_back(makeFinding(catalogue::kPassed, {{"n", text::formatCount(topics.size(), "check")},
                                                            {"topics", text::joinWords(topics)}}));
    return findings;
}

std::vector<Warning> findWarnings(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::vector<Warning> warnings;
    if (study::countRuns(study, study::RunStatus::Pending) > 0)
        return warnings;
    for (std::size_t i = 0; i < fits.size(); ++i) {
        if (!fits[i].isOk())
            continue;
        for (Finding& finding : pickCauses(findInFit(fits[i]))) {
            if (finding.code == catalogue::kSimulated.code)
                continue;
            const auto known = std::ranges::find_if(warnings, [&](const Warning& each) {
                return each.finding.code == finding.code && each.finding.runs == finding.runs;
            });
            if (known == warnings.end())
                warnings.push_back({{fits[i].response}, i, std::move(finding)});
            else
                known->responses.push_back(fits[i].response);
        }
    }
    return warnings;
}

std::vector<Finding> warningsOf(const model::Fit& fit)
{
    return fit.isOk() ? pickWarnings(findInFit(fit)) : Findings{};
}

Verdict judgeFit(const model::Fit& fit)
{
    Verdict verdict;
    const Findings deciding = findDeciding(fit);
    const Findings causes = pickCauses(deciding);
    verdict.reason = *findWorst(causes.empty() ? deciding : causes);
    if (fit.isOk() && model::findFarOutlier(fit)) {
        Findings outlier;
        addOutliers(fit, outlier);
        outlier.front().severity = std::max(Severity::Amber, verdict.reason.severity);
        verdict.reason = outlier.front();
    }
    verdict.severity = verdict.reason.severity;
    const std::string_view pattern = fit.isOk()
                                         ? catalogue::kVerdicts[static_cast<std::size_t>(verdict.severity)]
                                         : catalogue::kNoModelVerdict;
    verdict.sentence = fill(pattern, {{"finding", verdict.reason.sentence}});
    return verdict;
}

std::string_view nameOf(const Verdict& verdict)
{
    if (verdict.severity == Severity::Green)
        return "good";
    return verdict.severity == Severity::Amber ? "fair" : "poor";
}

std::string describePoorModel(const model::Fit& fit)
{
    if (!fit.isOk())
        return {};
    const Verdict verdict = judgeFit(fit);
    if (verdict.reason.code == catalogue::kFarOutlierRun.code)
        return fill(catalogue::kOfResponse,
                    {{"response", fit.response}, {"sentence", verdict.reason.sentence}});
    return verdict.severity == Severity::Red
               ? fill(catalogue::kPoorModel,
                      {{"response", fit.response}, {"finding", verdict.reason.sentence}})
               : std::string();
}

} // namespace quadric::report
