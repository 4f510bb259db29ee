// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/stage_rule.h"

#include "core/trainer/base/failure.h"
#include "core/trainer/base/statistics.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::trainer {

namespace {

constexpr std::size_t kFewestBlocks = 10;
constexpr std::size_t kMostBlocks = 30;
constexpr std::size_t kStepsForBlocks = 2 * kFewestBlocks;
constexpr double kMsPerBlock = 500.0;
constexpr double kNegligibleDriftPct = 0.3;
constexpr double kDisturbingDriftPct = 1.0;

template <typename Summary>
std::vector<double> ofBlocks(std::span<const double> steps, const Summary& summary)
{
    const std::size_t count = blockCount(steps);
    std::vector<double> blocks;
    blocks.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = i * steps.size() / count;
        const std::size_t end = (i + 1) * steps.size() / count;
        blocks.push_back(summary(steps.subspan(begin, end - begin)));
    }
    return blocks;
}

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
    const std::optional<Drift> drift = estimateDrift(stepsMs);
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

std::vector<double> blockMedians(std::span<const double> stepsMs)
{
    return ofBlocks(stepsMs, median);
}

/// Whether the steps of a series that has settled are longer than that with 99.9 % certainty, however often
/// it is asked while the series goes on. The blocks' t is as improbable as 4.5 standard deviations of a
/// normal variable (its equivalent: Wallace 1959); tests/core/trainer/stage_rule_test.cpp counts how often
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

constexpr double kBlockMs = 100.0;
constexpr int kLargestBlock = 64;

} // namespace

std::size_t blockCount(std::span<const double> stepsMs)
{
    if (stepsMs.size() < kStepsForBlocks)
        return stepsMs.size();
    const double totalMs = std::accumulate(stepsMs.begin(), stepsMs.end(), 0.0);
    const double blocks = std::clamp(std::floor(totalMs / kMsPerBlock), static_cast<double>(kFewestBlocks),
                                     static_cast<double>(kMostBlocks));
    return std::min(static_cast<std::size_t>(blocks), stepsMs.size());
}

std::vector<double> blockMeans(std::span<const double> stepsMs)
{
    return ofBlocks(stepsMs, mean);
}

std::optional<double> meanStepHalfWidth(std::span<const double> stepsMs)
{
    return meanHalfWidth(blockMeans(stepsMs));
}

std::optional<double> medianStepHalfWidth(std::span<const double> stepsMs)
{
    return meanHalfWidth(blockMedians(stepsMs));
}

bool Drift::isSettled() const
{
    return std::abs(percent) <= std::max(kNegligibleDriftPct, halfWidth);
}

bool Drift::disturbs() const
{
    return std::abs(percent) > std::max(kDisturbingDriftPct, halfWidth);
}

/// Least squares: with places x = 0 … k − 1, slope = Sxy/Sxx and s² = (Syy − slope·Sxy)/(k − 2).
std::optional<Drift> estimateDrift(std::span<const double> stepsMs)
{
    const std::vector<double> blocks = blockMeans(stepsMs);
    if (blocks.size() < 3)
        return std::nullopt;
    const auto count = static_cast<double>(blocks.size());
    const double center = mean(blocks);
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const double x = static_cast<double>(i) - (count - 1.0) / 2.0;
        const double y = blocks[i] - center;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    const double slope = xy / xx;
    const double error = std::sqrt(std::max(0.0, yy - slope * xy) / (count - 2.0) / xx);
    const double toPercent = 100.0 * count / center;
    return Drift{slope * toPercent, studentQuantile975(blocks.size() - 2) * error * toPercent};
}

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

ShortLookBar readShortLook(const std::string& text)
{
    const nlohmann::json given = nlohmann::json::parse(text, nullptr, false);
    const auto member = [&given](const char* name) {
        return given.is_object() ? given.value(name, nlohmann::json()) : nlohmann::json();
    };
    const nlohmann::json response = member("response");
    const nlohmann::json worseThan = member("worse_than");
    if (!response.is_string() || !worseThan.is_number() || !std::isfinite(worseThan.get<double>()))
        throw Failure(kBadSettings, R"(QUADRIC_SHORT_LOOK is no object like {"response": "step_ms", )"
                                    R"("worse_than": 41.8})");
    return {response.get<std::string>(), worseThan.get<double>()};
}

std::optional<SlowStep> makeSlowStep(const Workload& workload)
{
    if (!workload.shortLook || workload.shortLook->worseThan <= 0.0)
        return std::nullopt;
    const auto& [response, worseThan] = *workload.shortLook;
    if (response == "step_ms")
        return SlowStep{worseThan, true};
    if (response == "images_per_sec")
        return SlowStep{1000.0 * static_cast<double>(workload.imagesPerStep()) / worseThan, false};
    return std::nullopt;
}

void StageMeter::add(const StepReport& step)
{
    m_recentMs = step.stepMs;
    m_result.lastLoss = step.loss;
    if (!m_isMeasuring) {
        m_warmUpMs.push_back(step.stepMs);
        return;
    }
    m_result.stepsMs.push_back(step.stepMs);
    m_result.exposedMs += step.exposedMs;
    m_result.selectionMs += step.selectionMs;
    m_result.bytesSent += step.bytesSent;
}

StageCommand StageMeter::decide(double elapsedSeconds)
{
    if (!m_isMeasuring)
        return decideToMeasure(elapsedSeconds);
    const double nextSeconds = nextBlock() * m_recentMs / 1000.0;
    m_result.stopReason = decideMeasuring(m_result.stepsMs, elapsedSeconds, nextSeconds, m_rule);
    switch (m_result.stopReason) {
    case StopReason::None:
        return StageCommand::Continue;
    case StopReason::Drifting:
        measureAnew();
        return StageCommand::BeginMeasuring;
    case StopReason::SurelySlow:
    case StopReason::Precise:
        m_result.warmupWasSteady = true;
        break;
    case StopReason::OutOfTime:
        break;
    }
    return StageCommand::Stop;
}

int StageMeter::nextBlock() const
{
    if (m_recentMs <= 0.0)
        return 1;
    return static_cast<int>(std::clamp(kBlockMs / m_recentMs, 1.0, static_cast<double>(kLargestBlock)));
}

StageCommand StageMeter::decideToMeasure(double elapsedSeconds)
{
    const WarmUpDecision decision = decideWarmUp(m_warmUpMs, elapsedSeconds, m_rule);
    if (decision == WarmUpDecision::Continue)
        return StageCommand::Continue;
    m_isMeasuring = true;
    m_result.warmupSteps = m_warmUpMs.size();
    m_result.warmupSeconds = std::accumulate(m_warmUpMs.begin(), m_warmUpMs.end(), 0.0) / 1000.0;
    m_result.warmupWasSteady = decision == WarmUpDecision::Steady;
    return StageCommand::BeginMeasuring;
}

void StageMeter::measureAnew()
{
    StageResult fresh;
    fresh.warmupSteps = m_result.warmupSteps + m_result.stepsMs.size();
    fresh.warmupSeconds = m_result.warmupSeconds + m_result.totalSeconds();
    fresh.lastLoss = m_result.lastLoss;
    m_result = fresh;
}

} // namespace quadric::trainer
