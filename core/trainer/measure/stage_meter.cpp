// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/stage_meter.h"

#include <algorithm>
#include <numeric>

namespace quadric::trainer {

namespace {

constexpr double kBlockMs = 100.0;
constexpr int kLargestBlock = 64;

} // namespace

double StageResult::totalSeconds() const
{
    return std::accumulate(stepsMs.begin(), stepsMs.end(), 0.0) / 1000.0;
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
