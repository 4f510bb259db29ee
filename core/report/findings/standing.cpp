// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/standing.h"

#include "core/optimize/merit/desirability.h"
#include "core/report/catalogue.h"
#include "core/report/catalogue/feasibility_sentences.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/findings/feasibility_findings.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/node_findings.h"
#include "core/study/space/constraint.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

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
        standing.reasons.push_back(
            fill(confirmation.disturbance.empty() ? catalogue::kDisturbedRuns : catalogue::kDisturbedBecause,
                 {{"runs", text::formatRuns(confirmation.disturbed)}, {"because", confirmation.disturbance}},
                 confirmation.disturbed.size()));
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

/// Nodes that the setting would not fill.
void addNodes(const study::Study& study, const study::Settings& settings, Standing& standing)
{
    std::string sentence = describeIdleRanks(study, settings);
    if (sentence.empty())
        return;
    standing.severity = std::max(standing.severity, Severity::Amber);
    standing.reasons.push_back(std::move(sentence));
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
    addNodes(study, settings, standing);
    addModels(study, fits, standing);
    return standing;
}

} // namespace quadric::report
