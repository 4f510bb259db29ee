// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/measurement_findings.h"

#include "core/model/base/thresholds.h"
#include "core/model/select/center_runs.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/findings/data_findings.h"
#include "core/report/findings/fit_findings.h"
#include "core/study/run.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

using model::Fit;
using study::RunStatus;
using Card = std::vector<Finding>;

constexpr std::size_t kMostNamed = 3;

/// A run and, in words, what happened to it.
using Reason = std::pair<int, std::string>;

/// "run 3: reason; run 5: reason; and 2 more".
std::string reasonClause(const std::vector<Reason>& reasons)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(reasons.size(), kMostNamed); ++i) {
        text += (text.empty() ? "run " : "; run ") + std::to_string(reasons[i].first);
        if (!reasons[i].second.empty())
            text += ": " + reasons[i].second;
    }
    if (reasons.size() > kMostNamed)
        text += "; and " + std::to_string(reasons.size() - kMostNamed) + " more";
    if (text.ends_with('.'))
        text.pop_back(); // the sentence has its own
    return text;
}

void addReasons(const Entry& entry, const std::vector<Reason>& reasons, Card& card)
{
    if (reasons.empty())
        return;
    std::vector<int> runs(reasons.size());
    std::ranges::transform(reasons, runs.begin(), &Reason::first);
    card.push_back(makeFinding(
        entry, {{"n", std::to_string(reasons.size())}, {"reasons", reasonClause(reasons)}}, runs));
}

void addProgress(const study::Study& study, Card& card)
{
    const int waiting =
        study::countRuns(study, RunStatus::Pending) + study::countRuns(study, RunStatus::Running);
    const std::string rest =
        waiting == 0 ? "" : fill(catalogue::kProgressRest, {{"n", std::to_string(waiting)}});
    card.push_back(
        makeFinding(catalogue::kProgress, {{"done", std::to_string(study::countRuns(study, RunStatus::Done))},
                                           {"all", std::to_string(study.runs.size())},
                                           {"rest", rest}}));
}

void addFailed(const study::Study& study, Card& card)
{
    std::vector<Reason> reasons;
    std::vector<int> outOfMemory;
    for (const study::Run& run : study.runs) {
        if (run.status != RunStatus::Failed || study::isCancelled(run))
            continue;
        std::string kind = run.failure ? run.failure->kind : "";
        if (kind == "out-of-memory") {
            outOfMemory.push_back(run.id);
            continue;
        }
        std::ranges::replace(kind, '-', ' ');
        reasons.emplace_back(run.id, kind);
    }
    addReasons(catalogue::kFailures, reasons, card);
    if (!outOfMemory.empty())
        card.push_back(makeFinding(catalogue::kOutOfMemory, {}, outOfMemory));
}

void addDisturbed(const study::MeasurementQuality& quality, Card& card)
{
    std::vector<Reason> reasons;
    for (const study::DisturbedRun& disturbed : quality.disturbed)
        reasons.emplace_back(disturbed.run, disturbed.reason);
    addReasons(catalogue::kDisturbances, reasons, card);
}

/// Runs whose efficiency stands on a baseline that was slowed down.
void addDisturbedBaselines(const study::Study& study, Card& card)
{
    std::vector<int> runs;
    std::vector<std::string> reasons;
    for (const study::Run& run : study.runs) {
        const std::optional<int> id =
            run.status == RunStatus::Done ? run.provenance.baselineRun : std::nullopt;
        const auto baseline =
            id ? std::ranges::find(study.baselines, *id, &study::Run::id) : study.baselines.end();
        if (baseline == study.baselines.end() || !study::isDisturbed(*baseline))
            continue;
        runs.push_back(run.id);
        const std::string why = study::disturbanceOf(*baseline);
        const std::string reason = std::to_string(*id) + (why.empty() ? "" : ": " + why);
        if (std::ranges::find(reasons, reason) == reasons.end())
            reasons.push_back(reason);
    }
    if (!runs.empty())
        card.push_back(
            makeFinding(catalogue::kDisturbedBaselines, {{"reasons", text::joinWords(reasons)}}, runs));
}

void addSpread(const study::MeasurementQuality& quality, Card& card)
{
    std::vector<std::string> spreads;
    double worst = 0.0;
    for (const study::ResponseSpread& spread : quality.spreads) {
        const double share = spread.largest / 100.0;
        worst = std::max(worst, share);
        spreads.push_back(spread.response + " ±" + text::formatPercent(share) + " (run " +
                          std::to_string(spread.largestRun) + ")");
    }
    if (!spreads.empty())
        card.push_back(makeFinding(worst > model::kWideSpread ? catalogue::kWideSpread : catalogue::kSpread,
                                   {{"spreads", text::formatList(spreads)}}));
}

void addRepeatability(const study::Study& study, Card& card)
{
    std::vector<std::string> spreads;
    int runs = 0;
    for (const study::Response& response : study.responses) {
        const auto sentinels = model::summarizeSentinels(study, response.name);
        if (!sentinels || sentinels->mean == 0.0)
            continue;
        runs = sentinels->runs;
        spreads.push_back(response.name + " " +
                          text::formatPercent(std::abs(sentinels->sd / sentinels->mean)));
    }
    if (!spreads.empty())
        card.push_back(makeFinding(catalogue::kRepeatability,
                                   {{"n", std::to_string(runs)}, {"spreads", text::formatList(spreads)}}));
}

/// Of the model's residuals where a model can show a drift, otherwise of the center points.
std::optional<double> findMeasuredDriftP(const study::Study& study, const std::vector<Fit>& fits,
                                         const std::string& response)
{
    const auto fit = std::ranges::find(fits, response, &Fit::response);
    if (const auto p = fit != fits.end() && fit->isOk() ? findDriftP(*fit) : std::nullopt)
        return p;
    const auto sentinels = model::summarizeSentinels(study, response);
    return sentinels ? sentinels->p : std::nullopt;
}

/// The smallest of the responses' probabilities, times their number (Bonferroni).
void addMeasuredDrift(const study::Study& study, const std::vector<Fit>& fits, Card& card)
{
    std::vector<std::pair<double, std::string>> drifts;
    for (const study::Response& response : study.responses)
        if (const std::optional<double> p = findMeasuredDriftP(study, fits, response.name))
            drifts.emplace_back(*p, response.name);
    if (drifts.empty())
        return;
    const auto& [smallest, response] = *std::ranges::min_element(drifts);
    card.push_back(describeDrift(response, std::min(1.0, smallest * static_cast<double>(drifts.size()))));
}

} // namespace

std::vector<int> disturbedRuns(const study::Study& study)
{
    std::vector<int> ids;
    for (const study::DisturbedRun& disturbed : study::measurementQuality(study).disturbed)
        ids.push_back(disturbed.run);
    return ids;
}

std::vector<Finding> findInMeasurement(const study::Study& study, const std::vector<Fit>& fits)
{
    Card card;
    if (study.runs.empty())
        return card;
    const study::MeasurementQuality quality = study::measurementQuality(study);
    addProgress(study, card);
    addFailed(study, card);
    addDisturbed(quality, card);
    addDisturbedBaselines(study, card);
    addSpread(quality, card);
    addRepeatability(study, card);
    std::ranges::move(findCopiedResults(study), std::back_inserter(card));
    if (study::countRuns(study, RunStatus::Done) > 0)
        addMeasuredDrift(study, fits, card);
    if (study::hasSimulatedResults(study))
        card.push_back(makeFinding(catalogue::kSimulated));
    return card;
}

} // namespace quadric::report
