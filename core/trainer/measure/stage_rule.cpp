// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/stage_rule.h"

#include "core/trainer/base/statistics.h"
#include "core/trainer/measure/block_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace quadric::trainer {

namespace {

constexpr std::size_t kWindowSteps = 5;
constexpr double kSteadyShare = 0.005;
constexpr double kDeviationOfMad = 1.4826; ///< standard deviation of a normal variable, by its MAD
constexpr double kErrorOfMedian = 1.2533;  ///< √(π/2): of a median, by that of the mean
constexpr std::size_t kFewestSteps = 3;
constexpr double kSureDeviations = 4.5;
constexpr double kShareToLook = 0.25; ///< of the least time of a full measurement

double secondsOf(std::span<const double> stepsMs)
{
    return std::accumulate(stepsMs.begin(), stepsMs.end(), 0.0) / 1000.0;
}

/// The shortest end of the series with that many steps and seconds; empty where there is none.
std::span<const double> lastWindow(std::span<const double> stepsMs, double seconds)
{
    double sum = 0.0;
    for (std::size_t count = 1; count <= stepsMs.size(); ++count) {
        sum += stepsMs[stepsMs.size() - count] / 1000.0;
        if (count >= kWindowSteps && sum >= seconds)
            return stepsMs.last(count);
    }
    return {};
}

/// The first steps that are enough for a result; all where there are not enough.
std::span<const double> firstPart(std::span<const double> stepsMs, double leastSeconds)
{
    double sum = 0.0;
    for (std::size_t count = 1; count <= stepsMs.size(); ++count) {
        sum += stepsMs[count - 1] / 1000.0;
        if (count >= kEnoughSteps && sum >= leastSeconds)
            return stepsMs.first(count);
    }
    return stepsMs;
}

bool isSettled(std::span<const double> stepsMs)
{
    const std::optional<Drift> drift = driftOf(stepsMs);
    return drift && drift->isSettled();
}

bool isPrecise(std::span<const double> stepsMs, double relativeHalfWidth)
{
    const std::optional<double> half = medianStepHalfWidth(stepsMs);
    return half && *half <= relativeHalfWidth * median(stepsMs);
}

/// The deviation of a normal variable that is as improbable as this t (Wallace 1959, formula 2.1).
double normalEquivalent(double t, double degreesOfFreedom)
{
    const double v = degreesOfFreedom;
    const double size = (8.0 * v + 1.0) / (8.0 * v + 3.0) * std::sqrt(v * std::log1p(t * t / v));
    return std::copysign(size, t);
}

/// Whether steps have settled: the medians of the last two windows, each of at least 5 steps and
/// `windowSeconds`, differ by at most 0.5 %, or by what their scatter explains (two standard errors).
bool isSteady(std::span<const double> stepsMs, double windowSeconds)
{
    const std::span<const double> later = lastWindow(stepsMs, windowSeconds);
    const std::span<const double> earlier =
        lastWindow(stepsMs.first(stepsMs.size() - later.size()), windowSeconds);
    if (later.empty() || earlier.empty())
        return false;
    const double before = median(earlier);
    const double now = median(later);
    std::vector<double> deviations;
    for (const double step : earlier)
        deviations.push_back(std::abs(step - before));
    for (const double step : later)
        deviations.push_back(std::abs(step - now));
    const double error =
        kErrorOfMedian * kDeviationOfMad * median(deviations) *
        std::sqrt(1.0 / static_cast<double>(earlier.size()) + 1.0 / static_cast<double>(later.size()));
    return std::abs(now - before) <= std::max(kSteadyShare * now, 2.0 * error);
}

/// Whether the steps of a series that has settled are longer than that with 99.9 % certainty, however often
/// it is asked while the series goes on. The blocks' t is as improbable as 4.5 standard deviations of a
/// normal variable (its equivalent: Wallace 1959); tests/core/trainer/short_look_test.cpp counts how often
/// that errs.
bool isSurelySlow(std::span<const double> stepsMs, const SlowStep& slow)
{
    if (stepsMs.size() < kEnoughSteps || !isSettled(stepsMs))
        return false;
    const std::vector<double> blocks = slow.isMedian ? blockMedians(stepsMs) : blockMeans(stepsMs);
    const double away = mean(blocks) - slow.stepMs;
    const double error = standardErrorOfMean(blocks);
    const double degreesOfFreedom = static_cast<double>(blocks.size()) - 1.0;
    return error > 0.0 ? normalEquivalent(away / error, degreesOfFreedom) >= kSureDeviations : away > 0.0;
}

} // namespace

WarmUpDecision decideWarmUp(std::span<const double> stepsMs, double elapsedSeconds, const StageRule& rule)
{
    if (stepsMs.size() < rule.preparingSteps + kWindowSteps)
        return WarmUpDecision::Continue;
    const std::span<const double> prepared = stepsMs.subspan(rule.preparingSteps);
    if (secondsOf(prepared) >= rule.leastWarmupSeconds && isSteady(prepared, rule.leastWarmupSeconds / 2.0))
        return WarmUpDecision::Steady;
    return elapsedSeconds >= rule.warmupSeconds ? WarmUpDecision::OutOfTime : WarmUpDecision::Continue;
}

StopReason decideMeasuring(std::span<const double> stepsMs, double elapsedSeconds, double nextSeconds,
                           const StageRule& rule)
{
    if (stepsMs.size() < kFewestSteps)
        return StopReason::None;
    const double seconds = secondsOf(stepsMs);
    if (stepsMs.size() >= kEnoughSteps && seconds >= rule.leastSeconds) {
        const std::span<const double> first = firstPart(stepsMs, rule.leastSeconds);
        if (!isSettled(first) && elapsedSeconds + secondsOf(first) <= rule.secondsLimit)
            return StopReason::Drifting;
        if (isSettled(stepsMs) && isPrecise(stepsMs, rule.relativeHalfWidth))
            return StopReason::Precise;
    }
    if (rule.slow && seconds >= kShareToLook * rule.leastSeconds && isSurelySlow(stepsMs, *rule.slow))
        return StopReason::SurelySlow;
    return elapsedSeconds + nextSeconds > rule.secondsLimit ? StopReason::OutOfTime : StopReason::None;
}

std::string describe(StopReason reason)
{
    switch (reason) {
    case StopReason::Precise:
        return "the 95 % interval of the median step is narrow enough";
    case StopReason::SurelySlow:
        return "the setting is worse than the best one with 99.9 % certainty";
    case StopReason::OutOfTime:
        return "the time limit was reached";
    case StopReason::Drifting:
        return "the steps still changed";
    case StopReason::None:
        return "not stopped";
    }
    return {};
}

} // namespace quadric::trainer
