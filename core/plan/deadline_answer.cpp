// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/deadline_answer.h"

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

constexpr int kCurveSteps = 160;
constexpr double kConfidence = 0.95;
/// Curves go from nearly certain to nearly impossible, and a little farther.
constexpr double kNearlyCertain = 0.999;
constexpr double kRoom = 0.1;
constexpr std::size_t kMostValues = 400; ///< of a factor with more, the curve takes equal steps

double probabilityOf(const model::Fit& fit, const Work& work, const study::CodedPoint& point, double seconds)
{
    return RunTime(fit, work, point).probabilityWithin(seconds);
}

SizeCurve curveOver(SizeKind kind, std::vector<double> sizes, const auto& probabilityAt)
{
    SizeCurve curve{kind, std::move(sizes), {}};
    for (const double size : curve.sizes)
        curve.probabilities.push_back(probabilityAt(size));
    return curve;
}

std::vector<double> stepsBetween(double low, double high)
{
    std::vector<double> steps;
    steps.reserve(kCurveSteps + 1);
    for (int i = 0; i <= kCurveSteps; ++i)
        steps.push_back(low + (high - low) * i / kCurveSteps);
    return steps;
}

/// From nearly certain to nearly impossible, with what is looked at inside; from 0 where a time or an amount
/// may be as small as one likes.
std::vector<double> sizesAround(double certain, double impossible, double shown)
{
    const double low = std::min(std::isfinite(certain) ? certain : 0.0, shown);
    const double high = std::max(std::isfinite(impossible) ? impossible : 2.0 * shown, shown);
    const double room = kRoom * (high - low);
    return stepsBetween(std::max(low - room, low > 0.0 ? 0.02 * low : 0.0), high + room);
}

SizeCurve amountCurve(const model::Fit& fit, const DeadlineQuestion& question, const study::CodedPoint& point)
{
    const RunTime time(fit, question.work, point);
    const double certain = time.largestAmount(question.seconds, kNearlyCertain);
    const double impossible = time.largestAmount(question.seconds, 1.0 - kNearlyCertain);
    return curveOver(SizeKind::Amount, sizesAround(certain, impossible, question.work.amount),
                     [&](double amount) {
                         Work work = question.work;
                         work.amount = amount;
                         return probabilityOf(fit, work, point, question.seconds);
                     });
}

SizeCurve timeCurve(const model::Fit& fit, const DeadlineQuestion& question, const study::CodedPoint& point)
{
    const RunTime time(fit, question.work, point);
    return curveOver(
        SizeKind::Time,
        sizesAround(time.quantile(1.0 - kNearlyCertain), time.quantile(kNearlyCertain), question.seconds),
        [&](double seconds) { return time.probabilityWithin(seconds); });
}

SizeCurve settingCurve(const model::Fit& fit, const DeadlineQuestion& question)
{
    const study::Coding coding(fit.factors);
    const auto index = static_cast<std::size_t>(coding.indexOf(question.largest));
    const study::Factor& factor = fit.factors[index];
    std::vector<double> values = study::legalValues(factor, factor.low, factor.high, kMostValues);
    if (values.empty())
        for (const double coded : stepsBetween(-1.0, 1.0))
            values.push_back(coding.toActual(index, coded));
    study::Settings settings = question.settings;
    return curveOver(SizeKind::Setting, std::move(values), [&](double value) {
        settings.insert_or_assign(question.largest, value);
        return probabilityOf(fit, question.work, coding.toCoded(settings), question.seconds);
    });
}

} // namespace

DeadlineAnswer answerDeadline(const model::Fit& fit, const DeadlineQuestion& question)
{
    DeadlineAnswer answer;
    answer.settings = question.settings;
    if (!question.largest.empty()) {
        answer.largest = findLargestSetting(fit, question.work, question.settings, question.largest,
                                            question.seconds, question.probability);
        if (answer.largest)
            answer.settings.insert_or_assign(question.largest, answer.largest->value);
    }
    const study::CodedPoint point = study::Coding(fit.factors).toCoded(answer.settings);
    const RunTime time(fit, question.work, point);
    answer.probability = time.probabilityWithin(question.seconds);
    answer.quantile = time.quantile(question.probability);
    answer.time = time.interval(kConfidence);
    answer.isExtrapolation = model::predict(fit, point).isExtrapolation;
    if (question.work.kind != WorkKind::Whole)
        answer.largestAmount = time.largestAmount(question.seconds, question.probability);
    answer.curve = !question.largest.empty()               ? settingCurve(fit, question)
                   : question.work.kind == WorkKind::Whole ? timeCurve(fit, question, point)
                                                           : amountCurve(fit, question, point);
    answer.calibration =
        calibrate(fit, {kAskedShares.begin(), kAskedShares.end()}, question.work.kind == WorkKind::Speed);
    return answer;
}

} // namespace quadric::plan
