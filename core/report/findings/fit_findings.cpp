// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/fit_findings.h"

#include "core/model/fit/regression.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/findings/data_findings.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>

namespace quadric::report {

namespace {

/// The findings that `analyze --json` lists as warnings, in its order.
constexpr std::array<std::string_view, 22> kWarnings = {"simulated",
                                                        "failed-runs-left-out",
                                                        "excluded-runs-left-out",
                                                        "confirmation-runs-left-out",
                                                        "missing-results",
                                                        "values-at-bound",
                                                        "copied-results",
                                                        "aliased-terms",
                                                        "constant-response",
                                                        "no-residual-error",
                                                        "few-residual-df",
                                                        "zero-pure-error",
                                                        "lack-of-fit",
                                                        "press-undefined",
                                                        "poor-prediction",
                                                        "collinear-terms",
                                                        "outliers",
                                                        "drift",
                                                        "serial-correlation",
                                                        "unequal-variance",
                                                        "negative-predictions",
                                                        "other-scales"};

auto placeAmongWarnings(const Finding& finding)
{
    return std::ranges::find(kWarnings, finding.code);
}

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

/// What a fit that is not Ok lacks.
Finding findMissingModel(const model::Fit& fit)
{
    return makeFinding(fit.status == model::FitStatus::BadTransform ? catalogue::kBadTransform
                                                                    : catalogue::kNoModel,
                       {{"message", fit.message}});
}

/// What decides whether a fit may be relied upon. Everything else that is found cautions about single runs,
/// terms or places without changing the verdict; so does what cannot be tested.
Findings findDeciding(const model::Fit& fit)
{
    if (!fit.isOk())
        return {findMissingModel(fit)};
    Findings findings;
    if (fit.predictor) { // the others are about polynomials
        addPrediction(fit, findings);
        return findings;
    }
    for (const auto add : {addPrediction, addDegreesOfFreedom, addSignificance, addPrecision,
                           addCenterCurvature, addLackOfFit, addCopies})
        add(fit, findings);
    std::erase_if(findings, [](const Finding& finding) {
        return finding.code == catalogue::kNoReplicates.code ||
               finding.code == catalogue::kUncertainLackOfFit.code ||
               finding.code == catalogue::kEqualReplicates.code;
    });
    return findings;
}

} // namespace

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
    add(catalogue::kConfirmationRuns, data.confirmation);
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

std::vector<Finding> findInModel(const model::Fit& fit, const model::Recommendation& scales)
{
    if (!fit.isOk())
        return {findMissingModel(fit)};
    Findings findings;
    for (const auto add :
         {addDegreesOfFreedom, addRunsLeftOut, addCopies, addTerms, addSignificance, addPrediction,
          addPrecision, addModeledCurvature, addCenterCurvature, addLackOfFit, addOutliers, addInfluence,
          addDrift, addIndependence, addEqualVariance, addNormality})
        add(fit, findings);
    addScales(fit, scales, findings);
    addWeights(fit, findings);
    addBlocks(fit, findings);
    addExtrapolation(fit, findings);
    addSource(fit, findings);
    return findings;
}

std::vector<Finding> findInFit(const model::Fit& fit)
{
    return findInModel(fit, model::recommendScales(fit));
}

std::vector<Finding> pickWarnings(std::vector<Finding> findings)
{
    std::erase_if(findings,
                  [](const Finding& finding) { return placeAmongWarnings(finding) == kWarnings.end(); });
    std::ranges::stable_sort(findings, {}, placeAmongWarnings);
    return findings;
}

std::vector<ResponseFinding> findWarnings(const std::vector<model::Fit>& fits,
                                          const std::vector<model::Recommendation>& scales)
{
    std::vector<ResponseFinding> warnings;
    for (std::size_t i = 0; i < fits.size(); ++i) {
        Findings found = warningsOf(fits[i]);
        if (i < scales.size())
            addScales(fits[i], scales[i], found);
        for (Finding& warning : pickWarnings(std::move(found)))
            if (warning.severity != Severity::Green && warning.code != catalogue::kSimulated.code)
                warnings.push_back({fits[i].response, std::move(warning)});
    }
    return warnings;
}

std::vector<Finding> warningsOf(const model::Fit& fit)
{
    Findings findings;
    if (fit.isOk())
        for (const auto add :
             {addDegreesOfFreedom, addRunsLeftOut, addCopies, addTerms, addUntestable, addPrediction,
              addLackOfFit, addOutliers, addDrift, addIndependence, addEqualVariance, addSource})
            add(fit, findings);
    return pickWarnings(std::move(findings));
}

Verdict judgeFit(const model::Fit& fit)
{
    Verdict verdict;
    verdict.reason = *findWorst(findDeciding(fit));
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
    return verdict.severity == Severity::Red
               ? fill(catalogue::kPoorModel,
                      {{"response", fit.response}, {"finding", verdict.reason.sentence}})
               : std::string();
}

} // namespace quadric::report
