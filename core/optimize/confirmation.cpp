// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/confirmation.h"

#include "core/model/fit/distributions.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

constexpr int kDigits = 4; ///< significant ones, where no interval decides

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

std::string verdictText(const ConfirmedResponse& row)
{
    const std::string unit = row.unit.empty() ? "" : " " + row.unit;
    const std::string mean =
        row.runs == 1 ? "one run gave " : "the mean of " + text::formatCount(row.runs, "run") + " is ";
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
           rounded(*row.halfWidths) + " half widths).";
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

std::optional<ConfirmedResponse> judge(const study::Study& study, const Confirmation& confirmation,
                                       const model::Fit& fit)
{
    const std::vector<double> values =
        fit.isOk() ? resultsOf(study, confirmation, fit) : std::vector<double>{};
    if (values.empty())
        return std::nullopt;
    ConfirmedResponse row;
    row.response = fit.response;
    row.unit = fit.unit;
    row.runs = static_cast<int>(values.size());
    const double mean = meanOf(values);
    row.observed = model::invertTransform(fit.transform, mean);
    const study::CodedPoint point = study::Coding(fit.factors).toCoded(confirmation.settings);
    row.predicted = model::predict(fit, point, row.runs);
    row.distance = row.observed - row.predicted.mean;
    if (row.predicted.prediction && fit.sigma > 0.0) {
        const double half = model::tLimit(1.0 - fit.confidence, fit.dfResidual) * fit.sigma *
                            std::sqrt(1.0 / row.runs + row.predicted.leverage);
        const std::optional<double> predicted = model::applyTransform(fit.transform, row.predicted.mean);
        if (predicted)
            row.halfWidths = std::abs(mean - *predicted) / half;
        row.isInside = row.halfWidths && *row.halfWidths <= 1.0;
    }
    row.sentence = verdictText(row);
    return row;
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
        found->pending += run.status == study::RunStatus::Pending || run.status == study::RunStatus::Running;
    }
    return list;
}

} // namespace

std::vector<Confirmation> confirmationVerdicts(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::vector<Confirmation> confirmations = confirmationsOf(study);
    for (Confirmation& confirmation : confirmations) {
        bool isInside = true;
        for (const model::Fit& fit : fits) {
            const std::optional<ConfirmedResponse> row = judge(study, confirmation, fit);
            if (!row)
                continue;
            isInside = isInside && (row->isInside || !row->halfWidths);
            confirmation.responses.push_back(*row);
        }
        confirmation.isConfirmed =
            isInside && std::any_of(confirmation.responses.begin(), confirmation.responses.end(),
                                    [](const ConfirmedResponse& row) { return row.halfWidths.has_value(); });
    }
    return confirmations;
}

} // namespace quadric::optimize
