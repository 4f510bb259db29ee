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
#include <span>

namespace quadric::report {

namespace {

using Findings = std::vector<Finding>;
using FitCheck = std::optional<Finding> (*)(const model::Fit&);

/// The worst of these decides whether a fit may be relied upon. Everything else that is found cautions about
/// single runs, terms or places without changing the verdict.
constexpr FitCheck kDecidingChecks[] = {checkPrediction,      checkDegreesOfFreedom, checkSignificance,
                                        checkCenterCurvature, checkLackOfFit,        checkCopies};

constexpr FitCheck kChecks[] = {checkOutliers,   checkDegreesOfFreedom, checkCopies,
                                checkAliases,    checkCollinearity,     checkSignificance,
                                checkPrediction, checkCenterCurvature,  checkLackOfFit,
                                checkDrift,      checkEqualVariance,    checkBlocks};

/// Of a fit that is not Ok only that there is no model.
Findings runChecks(const model::Fit& fit, std::span<const FitCheck> checks)
{
    if (!fit.isOk())
        return {makeFinding(catalogue::kNoModel, {{"message", fit.message}})};
    Findings findings;
    for (const FitCheck check : checks)
        if (std::optional<Finding> finding = check(fit))
            findings.push_back(std::move(*finding));
    return findings;
}

/// Runs that are not as they were measured: left out, or moved inside the bounds of the response.
void addChangedRuns(const model::Fit& fit, Findings& findings)
{
    const model::Observations& data = fit.data->observations;
    std::vector<int> atBound;
    for (Eigen::Index i = 0; fit.bounds && fit.transform.inset > 0.0 && i < data.size(); ++i)
        if (data.y[i] == fit.bounds->low || data.y[i] == fit.bounds->high)
            atBound.push_back(data.runs[static_cast<std::size_t>(i)]);
    const auto add = [&](const Entry& entry, const std::vector<int>& runs) {
        if (!runs.empty())
            findings.push_back(makeFinding(
                entry, {{"response", fit.response}, {"inset", text::formatBriefly(fit.transform.inset)}},
                runs));
    };
    add(catalogue::kFailedRuns, data.failed);
    add(catalogue::kExcludedRuns, data.excluded);
    add(catalogue::kMissingResults, data.missing);
    add(catalogue::kValuesAtBound, atBound);
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

std::optional<Finding> checkCopies(const model::Fit& fit)
{
    if (!fit.data || fit.data->observations.copies.groups.empty())
        return std::nullopt;
    return describeCopies(fit.data->observations.copies, fit.response);
}

std::vector<Finding> findInFit(const model::Fit& fit)
{
    Findings findings = runChecks(fit, kChecks);
    if (fit.isOk() && fit.data)
        addChangedRuns(fit, findings);
    if (fit.isOk() && fit.isSimulated)
        findings.push_back(makeFinding(catalogue::kSimulated));
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

Verdict judgeFit(const model::Fit& fit)
{
    Verdict verdict;
    const Findings deciding = runChecks(fit, kDecidingChecks);
    const Findings causes = pickCauses(deciding);
    verdict.reason = *findWorst(causes.empty() ? deciding : causes);
    if (fit.isOk() && model::findFarOutlier(fit)) {
        Finding outlier = *checkOutliers(fit);
        outlier.severity = std::max(Severity::Amber, verdict.reason.severity);
        verdict.reason = std::move(outlier);
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
