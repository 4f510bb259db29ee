// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/confirmation.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/block_variance.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/predict.h"
#include "core/study/run.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace quadric::optimize {

namespace {

constexpr int kDigits = 4; ///< significant ones, where no interval decides

/// Of a response's share of the significance level, where there are several runs.
constexpr double kShareOfMean = 0.8;

/// As many decimals for all numbers of a sentence as two digits of the half width need.
std::string withDecimalsOf(double halfWidth, double value)
{
    constexpr int kMostDecimals = 12;
    const int decimals = halfWidth > 0.0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(halfWidth))),
                                                      0, kMostDecimals)
                                         : kMostDecimals;
    return text::formatDecimals(value, decimals);
}

std::string rounded(double value)
{
    return study::toText(std::round(value * 100.0) / 100.0);
}

/// What the back-transformed mean of transformed values is called.
std::string nameOfMean(study::TransformKind transform)
{
    return transform == study::TransformKind::None  ? "mean"
           : transform == study::TransformKind::Log ? "geometric mean"
                                                    : "mean on the model's scale";
}

std::string scatterText(const ConfirmedResponse& row)
{
    if (!row.isScattered)
        return "";
    return " The runs scatter more than the model's residuals allow (" + text::formatPClause(*row.scatterP) +
           "): one of them, or the setting, is not under control.";
}

/// An interval as wide as the range of all runs confirms nearly anything.
std::string weakText(const model::Interval& interval, const model::Fit& fit)
{
    const double range = fit.largestObserved - fit.smallestObserved;
    return interval.high - interval.low > range
               ? " A weak test: the interval is wider than the range of all runs of the model."
               : "";
}

std::string verdictText(const ConfirmedResponse& row, const model::Fit& fit)
{
    const std::string unit = row.unit.empty() ? "" : " " + row.unit;
    const std::string differenceUnit = row.unit.empty() ? "" : " " + text::unitOfDifference(row.unit);
    const std::string mean = row.runs == 1 ? "one run gave "
                                           : "the " + nameOfMean(fit.transform.kind) + " of " +
                                                 text::formatCount(row.runs, "run") + " is ";
    const std::string start = row.response + ": " + mean;
    if (!row.halfWidths)
        return start + text::formatBriefly(row.observed, kDigits) + unit + ", predicted " +
               text::formatBriefly(row.predicted.mean, kDigits) + unit +
               "; the model leaves no degrees of freedom for an interval to hold it against.";
    const model::Interval& interval = *row.predicted.ofNewRuns();
    const auto number = [half = (interval.high - interval.low) / 2.0](double value) {
        return withDecimalsOf(half, value);
    };
    const std::string where = row.isInside ? "inside" : "outside";
    const std::string side = row.distance < 0.0 ? "below" : "above";
    return start + number(row.observed) + unit + ", predicted " + number(row.predicted.mean) + unit + ": " +
           where + " the interval " + number(interval.low) + " to " + number(interval.high) + unit +
           (row.predicted.newBlock ? " for a new block, " : ", ") + number(std::abs(row.distance)) +
           differenceUnit + " " + side + " the prediction (" + rounded(*row.halfWidths) + " half widths)." +
           scatterText(row) + (row.isInside ? weakText(interval, fit) : "");
}

void noteDisturbance(const study::Run& run, Confirmation& confirmation)
{
    if (run.status != study::RunStatus::Done || !study::isDisturbed(run))
        return;
    confirmation.disturbed.push_back(run.id);
    if (confirmation.disturbance.empty())
        confirmation.disturbance = study::disturbanceOf(run);
}

void noteFailure(const study::Run& run, Confirmation& confirmation)
{
    if (run.status != study::RunStatus::Failed || !run.failure || study::isFailureOfSurroundings(run))
        return;
    confirmation.failed.push_back(run.id);
    if (confirmation.failure.empty())
        confirmation.failure = "This setting could not be run: run " + std::to_string(run.id) + " failed (" +
                               run.failure->kind + ": " + run.failure->message + ").";
}

/// The transformed results of the runs at the setting, by the block in which they were made. Without blocks
/// in the model there is one.
using ResultsByBlock = std::map<int, std::vector<double>>;

ResultsByBlock resultsOf(const study::Study& study, const Confirmation& confirmation, const model::Fit& fit)
{
    ResultsByBlock results;
    for (const int id : confirmation.runs) {
        const study::Run& run = *study::findRun(study, id);
        const auto found = run.results.find(fit.response);
        if (run.status != study::RunStatus::Done || found == run.results.end())
            continue;
        const std::optional<double> z = model::applyTransform(fit.transform, found->second);
        if (z && std::isfinite(*z))
            results[fit.blockVariance ? run.block : 0].push_back(*z);
    }
    return results;
}

/// What is compared with the model.
struct ObservedRuns {
    int runs = 0, blocks = 0;
    double mean = 0.0;
    double share = 0.0;   ///< Σ (runs of a block / all runs)²
    double squares = 0.0; ///< about the means of the blocks
};

ObservedRuns summarizeRuns(const ResultsByBlock& results)
{
    ObservedRuns all;
    double sum = 0.0, sumOfSizes = 0.0;
    for (const auto& [block, values] : results) {
        const Eigen::Map<const Eigen::ArrayXd> z(values.data(), std::ssize(values));
        ++all.blocks;
        all.runs += static_cast<int>(z.size());
        sum += z.sum();
        sumOfSizes += static_cast<double>(z.size() * z.size());
        all.squares += (z - z.mean()).square().sum();
    }
    all.mean = sum / all.runs;
    all.share = sumOfSizes / (static_cast<double>(all.runs) * all.runs);
    return all;
}

double halfWidthOf(const model::Fit& fit, const study::CodedPoint& point, const ObservedRuns& observed,
                   const ConfirmedResponse& row)
{
    const double leverage = model::PredictionError(fit).varianceFactorAt(point);
    return model::computeNewRunError(fit, leverage, row.runs, observed.share).halfWidth(row.confidence);
}

void judgeMean(const model::Fit& fit, const study::CodedPoint& point, const ObservedRuns& observed,
               ConfirmedResponse& row)
{
    if (const auto predicted = model::applyTransform(fit.transform, row.predicted.mean))
        row.halfWidths = std::abs(observed.mean - *predicted) / halfWidthOf(fit, point, observed, row);
    row.isInside = row.halfWidths && *row.halfWidths <= 1.0;
}

void judgeScatter(const model::Fit& fit, const ObservedRuns& observed, double alpha, ConfirmedResponse& row)
{
    const int df = observed.runs - observed.blocks;
    row.scatterP = model::fProbability(observed.squares / df / model::varianceOfNewRun(fit), df,
                                       model::PredictionError(fit).df());
    row.isScattered = *row.scatterP < alpha;
}

/// `alpha`: the share of the significance level that is this response's.
ConfirmedResponse judge(const Confirmation& confirmation, const model::Fit& fit,
                        const ResultsByBlock& results, double alpha)
{
    ConfirmedResponse row;
    row.response = fit.response;
    row.unit = fit.unit;
    const ObservedRuns observed = summarizeRuns(results);
    const bool canScatter = observed.runs > observed.blocks;
    row.runs = observed.runs;
    const double ofMean = canScatter ? kShareOfMean * alpha : alpha;
    row.confidence = 1.0 - ofMean;
    row.observed = model::invertTransform(fit.transform, observed.mean);
    const study::CodedPoint point = study::Coding(fit.factors).toCoded(confirmation.settings);
    row.predicted = model::predict(fit, point, row.runs, row.confidence, observed.share);
    row.distance = row.observed - row.predicted.mean;
    if (row.predicted.ofNewRuns() && fit.sigma > 0.0) {
        judgeMean(fit, point, observed, row);
        if (canScatter)
            judgeScatter(fit, observed, alpha - ofMean, row);
    }
    row.sentence = verdictText(row, fit);
    return row;
}

/// The verdicts on all responses with a result.
std::vector<ConfirmedResponse> judgeAll(const study::Study& study, const Confirmation& confirmation,
                                        const std::vector<model::Fit>& fits)
{
    std::vector<std::pair<const model::Fit*, ResultsByBlock>> measured;
    for (const model::Fit& fit : fits) {
        ResultsByBlock results = fit.isOk() ? resultsOf(study, confirmation, fit) : ResultsByBlock{};
        if (!results.empty())
            measured.emplace_back(&fit, std::move(results));
    }
    const auto judging = std::ranges::count_if(
        measured, [](const auto& each) { return each.first->dfResidual > 0 && each.first->sigma > 0.0; });
    std::vector<ConfirmedResponse> rows;
    for (const auto& [fit, results] : measured) {
        const double share = 1.0 / static_cast<double>(std::max<std::ptrdiff_t>(judging, 1));
        rows.push_back(judge(confirmation, *fit, results, 1.0 - std::pow(fit->confidence, share)));
    }
    return rows;
}

/// The settings with confirmation runs and their runs.
std::vector<Confirmation> confirmationsOf(const study::Study& study)
{
    std::vector<Confirmation> list;
    for (const study::Run& run : study.runs) {
        if (run.kind != study::RunKind::Confirmation)
            continue;
        auto found = std::find_if(list.begin(), list.end(), [&](const Confirmation& confirmation) {
            return confirmation.settings == run.settings;
        });
        if (found == list.end()) {
            list.emplace_back();
            found = list.end() - 1;
            found->settings = run.settings;
        }
        found->runs.push_back(run.id);
        noteFailure(run, *found);
        noteDisturbance(run, *found);
        found->pending += run.status == study::RunStatus::Pending || run.status == study::RunStatus::Running;
    }
    return list;
}

} // namespace

std::string_view nameOf(ConfirmationOutcome outcome)
{
    constexpr auto kNames = std::to_array<std::string_view>(
        {"pending", "no-result", "disturbed", "no-interval", "confirmed", "refuted", "cannot-run"});
    return kNames.at(static_cast<std::size_t>(outcome));
}

ConfirmationOutcome Confirmation::outcome() const
{
    if (!failed.empty())
        return ConfirmationOutcome::CannotRun;
    if (pending > 0)
        return ConfirmationOutcome::Pending;
    if (responses.empty())
        return ConfirmationOutcome::NoResult;
    if (!disturbed.empty())
        return ConfirmationOutcome::Disturbed;
    if (isConfirmed)
        return ConfirmationOutcome::Confirmed;
    const bool isJudged = std::ranges::any_of(
        responses, [](const ConfirmedResponse& row) { return row.halfWidths.has_value(); });
    return isJudged ? ConfirmationOutcome::Refuted : ConfirmationOutcome::NoInterval;
}

const Confirmation* findConfirmation(const std::vector<Confirmation>& confirmations,
                                     const study::Settings& settings)
{
    const auto found = std::ranges::find(confirmations, settings, &Confirmation::settings);
    return found == confirmations.end() ? nullptr : &*found;
}

std::vector<Confirmation> confirmationVerdicts(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::vector<Confirmation> confirmations = confirmationsOf(study);
    for (Confirmation& confirmation : confirmations) {
        confirmation.responses = judgeAll(study, confirmation, fits);
        const auto hasInterval = [](const ConfirmedResponse& row) { return row.halfWidths.has_value(); };
        const auto isRefuted = [](const ConfirmedResponse& row) {
            return row.halfWidths && !row.isConfirmed();
        };
        confirmation.isConfirmed = confirmation.pending == 0 && confirmation.failed.empty() &&
                                   confirmation.disturbed.empty() &&
                                   std::ranges::any_of(confirmation.responses, hasInterval) &&
                                   std::ranges::none_of(confirmation.responses, isRefuted);
    }
    return confirmations;
}

} // namespace quadric::optimize
