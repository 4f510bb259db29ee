// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/plan_sentences.h"

#include "core/report/catalogue/reading_sentences.h"
#include "core/report/finding.h"
#include "core/report/findings/fit_findings.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

using text::Typography;

/// What is done in the time available, and when it is done as surely as is asked.
std::string timeSentence(const model::Fit& fit, const DeadlineQuestion& question,
                         const DeadlineAnswer& answer, Typography typography)
{
    const std::string within = text::formatDuration(question.seconds),
                      asked = text::formatPercent(question.probability, 2);
    const std::string what = question.work.kind == WorkKind::Whole
                                 ? "One run is"
                                 : describeAmount(fit, question.work.amount, typography) + " are";
    const std::string sentence =
        what + " done within " + within + " with a probability of " + text::formatPercent(answer.probability);
    if (!std::isfinite(answer.quantile))
        return sentence + "; no time has a probability of " + asked + ".";
    const std::string quantile = text::formatDuration(std::max(0.0, answer.quantile));
    return quantile == within
               ? sentence + "."
               : sentence + ", and within " + quantile + " with a probability of " + asked + ".";
}

/// The largest size that is done in time as surely as is asked.
std::string largestSentence(const model::Fit& fit, const DeadlineQuestion& question,
                            const DeadlineAnswer& answer, Typography typography)
{
    const std::string within = " done within " + text::formatDuration(question.seconds) +
                               " with a probability of " + text::formatPercent(question.probability, 2);
    if (!question.largest.empty() && !answer.largest)
        return " No setting of " + question.largest + " is" + within + ".";
    if (answer.largest) {
        const auto factor = std::ranges::find(fit.factors, question.largest, &study::Factor::name);
        return " Largest " + question.largest + within + ": " +
               text::formatNumber(answer.largest->value, {}, typography) +
               (factor->unit.empty() ? "" : " " + factor->unit) + ".";
    }
    return answer.largestAmount
               ? " Largest amount" + within + ": " +
                     describeAmount(fit, withoutNeedlessDigits(*answer.largestAmount), typography) + "."
               : "";
}

std::string estimateText(const Estimate& estimate, Typography typography)
{
    return std::isfinite(estimate.high) && std::isfinite(estimate.low)
               ? text::formatInterval(estimate.value, estimate.low, estimate.high, typography)
               : text::formatNumber(estimate.value, {}, typography) + " (no upper end)";
}

} // namespace

std::string amountUnit(const model::Fit& fit)
{
    return isRateUnit(fit.unit) ? fit.unit.substr(0, fit.unit.find('/')) : std::string();
}

double withoutNeedlessDigits(double amount)
{
    constexpr double kDigitsOfAmount = 3.0;
    if (!(amount > 0.0))
        return amount;
    const double step = std::pow(10.0, std::floor(std::log10(amount)) + 1.0 - kDigitsOfAmount);
    return std::floor(amount / step + 1e-9) * step;
}

std::string describeAmount(const model::Fit& fit, double amount, Typography typography)
{
    const std::string unit = amountUnit(fit);
    return text::formatNumber(amount, {}, typography) +
           (unit.empty() ? " units of work" : (typography == Typography::Plain ? " " : "\u00a0") + unit);
}

std::string describeImpossible(const study::Study& study, const model::Fit& fit, const Work& work,
                               const study::Settings& settings)
{
    std::string text;
    const double median = RunTime(fit, work, study::Coding(fit.factors).toCoded(settings)).quantile(0.5);
    if (!(median > 0.0) || !std::isfinite(median))
        text = "The model of " + fit.response + " predicts no " +
               (work.kind == WorkKind::Speed ? "speed" : "time") +
               " above 0 at these settings: choose the log transform for it. ";
    const std::string violation = study::describeViolation(study, settings);
    return violation.empty()
               ? text
               : text + report::fill(report::catalogue::kInfeasible, {{"violation", violation}}) + " ";
}

std::string describeCaution(const model::Fit& fit, bool isExtrapolation)
{
    const std::string poor = report::describePoorModel(fit);
    return (poor.empty() ? "" : " " + poor) +
           (isExtrapolation ? " Extrapolation: outside the region covered by runs." : "");
}

std::string describeDeadline(const model::Fit& fit, const DeadlineQuestion& question,
                             const DeadlineAnswer& answer, Typography typography)
{
    return timeSentence(fit, question, answer, typography) +
           largestSentence(fit, question, answer, typography);
}

std::string describeCalibration(const Calibration& calibration, double asked)
{
    if (!calibration.message.empty())
        return "The probability cannot be checked. " + calibration.message;
    const std::string kept = calibration.kept == 0
                                 ? ""
                                 : " " + text::formatCount(calibration.kept, "run") + " cannot be left out.";
    return "Of " + text::formatCount(calibration.runs, "run") + " left out one setting at a time, " +
           text::formatPercent(calibration.reached) +
           " were done within the time that the others predict with a probability of " +
           text::formatPercent(asked, 2) + " (95 % interval " +
           text::formatPercent(calibration.interval.low) + " to " +
           text::formatPercent(calibration.interval.high) + ")." + kept;
}

std::string describeCost(const CostPlan& plan, Typography typography)
{
    if (!(plan.here.seconds.value > 0.0))
        return {};
    const std::string money = estimateText(plan.here.money, typography);
    std::string text =
        (plan.isInGpuHours ? "One run takes " + money + " GPU hours" : "One run costs " + money) + " on " +
        text::formatCount(plan.gpus, "GPU") + " (median, 95 % interval).";
    if (std::isfinite(plan.here.seconds.value))
        text += " Time: " + text::formatDuration(plan.here.seconds.value) + ".";
    if (plan.here.kilowattHours.value > 0.0)
        text += " Energy: " + estimateText(plan.here.kilowattHours, typography) + " kWh.";
    return text + (plan.isInGpuHours ? " Set a price to see costs." : "");
}

} // namespace quadric::plan
