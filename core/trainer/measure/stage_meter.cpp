// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/stage_meter.h"

#include "core/trainer/base/statistics.h"

#include <algorithm>
#include <numeric>

namespace quadric::trainer {

namespace {

constexpr std::size_t kSteadySteps = 5;
constexpr double kSteadyRange = 0.02;
constexpr std::size_t kFewestSteps = 3;
constexpr double kBlockMs = 100.0;
constexpr int kLargestBlock = 64;

} // namespace

void WarmUp::add(double stepMs)
{
    ++m_steps;
    m_last.push_back(stepMs);
    if (m_last.size() > kSteadySteps)
        m_last.erase(m_last.begin());
}

bool WarmUp::isSteady() const
{
    if (m_last.size() < kSteadySteps)
        return false;
    const auto [smallest, largest] = std::ranges::minmax(m_last);
    return largest - smallest < kSteadyRange * median(m_last);
}

StopReason StopRule::decide(std::span<const double> stepsMs, double elapsedSeconds, double nextSeconds) const
{
    if (stepsMs.size() < kFewestSteps)
        return StopReason::None;
    if (stepsMs.size() >= m_options.minimumSteps) {
        const std::optional<Interval> interval = medianInterval(stepsMs);
        if (interval && interval->halfWidth() <= m_options.relativeHalfWidth * median(stepsMs))
            return StopReason::Precise;
    }
    return elapsedSeconds + nextSeconds > m_options.secondsLimit ? StopReason::OutOfTime : StopReason::None;
}

double StageResult::totalSeconds() const
{
    return std::accumulate(stepsMs.begin(), stepsMs.end(), 0.0) / 1000.0;
}

void StageMeter::add(const StepReport& step)
{
    m_recentMs = step.stepMs;
    m_result.lastLoss = step.loss;
    if (!m_isMeasuring) {
        m_warmUp.add(step.stepMs);
        return;
    }
    m_result.stepsMs.push_back(step.stepMs);
    m_result.exposedMs += step.exposedMs;
    m_result.selectionMs += step.selectionMs;
    m_result.bytesSent += step.bytesSent;
}

StageCommand StageMeter::decide(double elapsedSeconds)
{
    if (!m_isMeasuring) {
        const bool isSteady = m_warmUp.isSteady();
        if (m_warmUp.steps() < 1 || (!isSteady && elapsedSeconds < m_options.warmupSeconds))
            return StageCommand::Continue;
        m_isMeasuring = true;
        m_result.warmupSteps = m_warmUp.steps();
        m_result.warmupWasSteady = isSteady;
        return StageCommand::BeginMeasuring;
    }
    m_result.stopReason = m_rule.decide(m_result.stepsMs, elapsedSeconds, nextBlock() * m_recentMs / 1000.0);
    return m_result.stopReason == StopReason::None ? StageCommand::Continue : StageCommand::Stop;
}

int StageMeter::nextBlock() const
{
    if (m_recentMs <= 0.0)
        return 1;
    return static_cast<int>(std::clamp(kBlockMs / m_recentMs, 1.0, static_cast<double>(kLargestBlock)));
}

std::string describe(StopReason reason)
{
    switch (reason) {
    case StopReason::Precise:
        return "the 95 % interval of the median step is narrow enough";
    case StopReason::OutOfTime:
        return "the time limit was reached";
    case StopReason::None:
        return "not stopped";
    }
    return {};
}

} // namespace quadric::trainer
