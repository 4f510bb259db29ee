// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/findings/fit_parts.h"

namespace quadric::report {

namespace {

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
