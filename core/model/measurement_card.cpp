// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement_card.h"

#include "core/model/report_card_items.h"
#include "core/model/sentinels.h"
#include "core/study/disturbance.h"
#include "core/study/measurement_quality.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

using study::RunStatus;

constexpr double kWideSpread = 0.05; ///< of a result: half width of its interval above which it is amber
constexpr std::size_t kMostNamed = 3;

std::string withStop(const std::string& sentence)
{
    return sentence.ends_with('.') ? sentence : sentence + ".";
}

/// "run 3: reason; run 5: reason and 2 more".
std::string reasonsWords(const std::vector<std::pair<int, std::string>>& reasons)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(reasons.size(), kMostNamed); ++i) {
        text += (text.empty() ? "run " : "; run ") + std::to_string(reasons[i].first);
        if (!reasons[i].second.empty())
            text += ": " + reasons[i].second;
    }
    if (reasons.size() > kMostNamed)
        text += "; and " + std::to_string(reasons.size() - kMostNamed) + " more";
    return text;
}

void addProgress(const study::Study& study, Card& card)
{
    const int done = study::countRuns(study, RunStatus::Done);
    const int waiting =
        study::countRuns(study, RunStatus::Pending) + study::countRuns(study, RunStatus::Running);
    const std::string rest = waiting == 0 ? "." : ", " + std::to_string(waiting) + " to come.";
    card.push_back(
        {"Runs", Verdict::Green,
         text::formatCount(done, "run") + " of " + std::to_string(study.runs.size()) + " done" + rest, ""});
}

void addSpread(const study::MeasurementQuality& quality, Card& card)
{
    std::vector<std::string> words;
    double worst = 0.0;
    for (const study::ResponseSpread& spread : quality.spreads) {
        const double share = spread.largest / 100.0;
        worst = std::max(worst, share);
        words.push_back(spread.response + " ±" + text::formatPercent(share) + " (run " +
                        std::to_string(spread.largestRun) + ")");
    }
    if (words.empty())
        return;
    const bool isWide = worst > kWideSpread;
    card.push_back({"Spread", isWide ? Verdict::Amber : Verdict::Green,
                    "The widest spread inside a run: " + text::formatList(words) + ".",
                    isWide ? "Measure longer, or find out what makes the steps uneven." : ""});
}

void addRepeatability(const study::Study& study, Card& card)
{
    std::vector<std::string> words;
    int runs = 0;
    for (const study::Response& response : study.responses) {
        const auto sentinels = sentinelsOf(study, response.name);
        if (!sentinels || sentinels->mean == 0.0)
            continue;
        runs = sentinels->runs;
        words.push_back(response.name + " " + text::formatPercent(std::abs(sentinels->sd / sentinels->mean)));
    }
    if (!words.empty())
        card.push_back({"Repeatability", Verdict::Green,
                        "The " + std::to_string(runs) + " centre runs differ by (standard deviation) " +
                            text::formatList(words) + ".",
                        ""});
}

/// The drift of one response: of the model's residuals where a model can tell it, otherwise of the centre
/// runs.
struct Drift {
    std::string response;
    double p = 1.0;
    bool isOfSentinels = false;
    double share = 0.0; ///< change over the centre runs, relative to their mean
};

std::optional<Drift> driftOf(const study::Study& study, const std::vector<Fit>& fits,
                             const std::string& response)
{
    const auto fit = std::ranges::find(fits, response, &Fit::response);
    if (fit != fits.end() && fit->isOk() && fit->residualChecks.driftP)
        return Drift{.response = response, .p = *fit->residualChecks.driftP};
    const auto sentinels = sentinelsOf(study, response);
    if (!sentinels || !sentinels->p)
        return std::nullopt;
    return Drift{response, *sentinels->p, true,
                 sentinels->mean != 0.0 ? std::abs(sentinels->change / sentinels->mean) : 0.0};
}

std::string driftWords(const Drift& drift, double p)
{
    if (drift.isOfSentinels)
        return "The centre runs drift: " + drift.response + " changed by " +
               text::formatPercent(drift.share) + " from the first to the last (" + text::formatPClause(p) +
               ").";
    return drift.response + " drifts with the order in which the runs were made (" + text::formatPClause(p) +
           ").";
}

/// The smallest of the responses' probabilities, times their number (Bonferroni).
void addMeasuredDrift(const study::Study& study, const std::vector<Fit>& fits, Card& card)
{
    std::vector<Drift> drifts;
    for (const study::Response& response : study.responses) {
        if (const auto drift = driftOf(study, fits, response.name))
            drifts.push_back(*drift);
    }
    if (drifts.empty()) {
        card.push_back({"Drift", Verdict::Green,
                        "Drift cannot be told yet: it takes three centre runs, or more runs than the model "
                        "has terms.",
                        ""});
        return;
    }
    const Drift worst = *std::ranges::min_element(drifts, {}, &Drift::p);
    const double p = std::min(1.0, worst.p * static_cast<double>(drifts.size()));
    const Verdict verdict = verdictOf(p);
    card.push_back(
        {"Drift", verdict,
         verdict == Verdict::Green ? "No drift over the order of the runs (" + text::formatPClause(p) + ")."
                                   : driftWords(worst, p),
         verdict == Verdict::Green ? "" : "Look at clocks and temperatures; repeat the first runs."});
}

void addDisturbed(const study::MeasurementQuality& quality, Card& card)
{
    std::vector<std::pair<int, std::string>> reasons;
    for (const study::DisturbedRun& disturbed : quality.disturbed)
        reasons.emplace_back(disturbed.run, disturbed.reason);
    if (!reasons.empty())
        card.push_back(
            {"Disturbed", Verdict::Amber,
             text::formatCount(reasons.size(), "run") + " disturbed: " + withStop(reasonsWords(reasons)),
             reasons.size() == 1 ? "Repeat it when the machine is quiet."
                                 : "Repeat them when the machine is quiet."});
}

void addFailed(const study::Study& study, Card& card)
{
    std::vector<std::pair<int, std::string>> reasons;
    for (const study::Run& run : study.runs) {
        if (run.status == RunStatus::Failed)
            reasons.emplace_back(run.id, run.failure ? run.failure->kind : "");
    }
    if (!reasons.empty())
        card.push_back(
            {"Failed", Verdict::Red,
             text::formatCount(reasons.size(), "run") + " failed: " + withStop(reasonsWords(reasons)),
             "Read the log; a failed run can be measured again."});
}

void addRetried(const study::Study& study, Card& card)
{
    std::vector<int> retried;
    for (const study::Run& run : study.runs) {
        if (run.provenance.attempt.value_or(1) > 1)
            retried.push_back(run.id);
    }
    if (!retried.empty())
        card.push_back({"Retried", Verdict::Green,
                        "Measured more than once before it counted: " + text::formatRuns(retried) + ".", ""});
}

} // namespace

std::vector<int> disturbedRuns(const study::Study& study)
{
    std::vector<int> ids;
    for (const study::DisturbedRun& disturbed : study::measurementQuality(study).disturbed)
        ids.push_back(disturbed.run);
    return ids;
}

std::vector<ReportCardItem> measurementCard(const study::Study& study, const std::vector<Fit>& fits)
{
    Card card;
    if (study.runs.empty())
        return card;
    const study::MeasurementQuality quality = study::measurementQuality(study);
    addProgress(study, card);
    addFailed(study, card);
    addDisturbed(quality, card);
    addRetried(study, card);
    addSpread(quality, card);
    addRepeatability(study, card);
    if (study::countRuns(study, RunStatus::Done) > 0)
        addMeasuredDrift(study, fits, card);
    if (study::hasSimulatedResults(study))
        card.push_back({"Source", Verdict::Amber,
                        "The results are simulated: they come from a formula, not from hardware.", ""});
    return card;
}

} // namespace quadric::model
