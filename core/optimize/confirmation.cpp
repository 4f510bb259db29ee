// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/confirmation.h"

#include "core/model/fit/distributions.h"
#include "core/study/outcome.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

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
    const std::string mean = row.runs == 1 ? "one run gave "
                                           : "the " + nameOfMean(fit.transform.kind) + " of " +
                                                 text::formatCount(row.runs, "run") + " is ";
    const std::string start = row.response + ": " + mean;
    if (!row.halfWidths)
        return start + text::formatBriefly(row.observed, kDigits) + unit + ", predicted " +
               text::formatBriefly(row.predicted.mean, kDigits) + unit +
               "; the model leaves no degrees of freedom for an interval to hold it against.";
    const model::Interval& interval = *row.predicted.prediction;
    const auto number = [half = (interval.high - interval.low) / 2.0](double value) {
        return withDecimalsOf(half, value);
    };
    const std::string where = row.isInside ? "inside" : "outside";
    const std::string side = row.distance < 0.0 ? "below" : "above";
    return start + number(row.observed) + unit + ", predicted " + number(row.predicted.mean) + unit + ": " +
           where + " the interval " + number(interval.low) + " to " + number(interval.high) + unit + ", " +
           number(std::abs(row.distance)) + unit + " " + side + " the prediction (" +
           rounded(*row.halfWidths) + " half widths)." + scatterText(row) +
           (row.isInside ? weakText(interval, fit) : "");
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

/// The transformed results of the runs at the setting.
std::vector<double> resultsOf(const study::Study& study, const Confirmation& confirmation,
                              const model::Fit& fit)
{
    std::vector<double> values;
    for (const int id : confirmation.runs) {
        const study::Run& run = *study::findRun(study, id);
        const auto found = run.results.find(fit.response);
        if (run.status != study::RunStatus::Done || found == run.results.end())
            continue;
        const std::optional<double> z = model::applyTransform(fit.transform, found->second);
        if (z && std::isfinite(*z))
            values.push_back(*z);
    }
    return values;
}

double meanOf(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

void judgeMean(const model::Fit& fit, double mean, double alpha, ConfirmedResponse& row)
{
    const double half =
        model::tLimit(alpha, fit.dfResidual) * fit.sigma * std::sqrt(1.0 / row.runs + row.predicted.leverage);
    if (const auto predicted = model::applyTransform(fit.transform, row.predicted.mean))
        row.halfWidths = std::abs(mean - *predicted) / half;
    row.isInside = row.halfWidths && *row.halfWidths <= 1.0;
}

void judgeScatter(const model::Fit& fit, const std::vector<double>& values, double mean, double alpha,
                  ConfirmedResponse& row)
{
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const double df = row.runs - 1;
    row.scatterP = model::fProbability(squares / df / (fit.sigma * fit.sigma), df, fit.dfResidual);
    row.isScattered = *row.scatterP < alpha;
}

/// `alpha`: the share of the significance level that is this response's.
ConfirmedResponse judge(const Confirmation& confirmation, const model::Fit& fit,
                        const std::vector<double>& values, double alpha)
{
    ConfirmedResponse row;
    row.response = fit.response;
    row.unit = fit.unit;
    row.runs = static_cast<int>(values.size());
    const double ofMean = row.runs == 1 ? alpha : kShareOfMean * alpha;
    row.confidence = 1.0 - ofMean;
    const double mean = meanOf(values);
    row.observed = model::invertTransform(fit.transform, mean);
    const study::CodedPoint point = study::Coding(fit.factors).toCoded(confirmation.settings);
    row.predicted = model::predict(fit, point, row.runs, row.confidence);
    row.distance = row.observed - row.predicted.mean;
    if (row.predicted.prediction && fit.sigma > 0.0) {
        judgeMean(fit, mean, ofMean, row);
        if (row.runs > 1)
            judgeScatter(fit, values, mean, alpha - ofMean, row);
    }
    row.sentence = verdictText(row, fit);
    return row;
}

/// The verdicts on all responses with a result.
std::vector<ConfirmedResponse> judgeAll(const study::Study& study, const Confirmation& confirmation,
                                        const std::vector<model::Fit>& fits)
{
    std::vector<std::pair<const model::Fit*, std::vector<double>>> measured;
    for (const model::Fit& fit : fits) {
        std::vector<double> values = fit.isOk() ? resultsOf(study, confirmation, fit) : std::vector<double>{};
        if (!values.empty())
            measured.emplace_back(&fit, std::move(values));
    }
    const auto judging = std::ranges::count_if(
        measured, [](const auto& each) { return each.first->dfResidual > 0 && each.first->sigma > 0.0; });
    std::vector<ConfirmedResponse> rows;
    for (const auto& [fit, values] : measured) {
        const double share = 1.0 / static_cast<double>(std::max<std::ptrdiff_t>(judging, 1));
        rows.push_back(judge(confirmation, *fit, values, 1.0 - std::pow(fit->confidence, share)));
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
        found->pending += run.status == study::RunStatus::Pending || run.status == study::RunStatus::Running;
    }
    return list;
}

} // namespace

std::vector<Confirmation> confirmationVerdicts(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::vector<Confirmation> confirmations = confirmationsOf(study);
    for (Confirmation& confirmation : confirmations) {
        confirmation.responses = judgeAll(study, confirmation, fits);
        const auto hasInterval = [](const ConfirmedResponse& row) { return row.halfWidths.has_value(); };
        const auto isRefuted = [](const ConfirmedResponse& row) {
            return row.halfWidths && !row.isConfirmed();
        };
        confirmation.isConfirmed = confirmation.failed.empty() &&
                                   std::ranges::any_of(confirmation.responses, hasInterval) &&
                                   std::ranges::none_of(confirmation.responses, isRefuted);
    }
    return confirmations;
}

} // namespace quadric::optimize
