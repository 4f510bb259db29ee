// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/engine.h"
#include "core/trainer/measure/stage_rule.h"

#include <vector>

namespace quadric::trainer {

/// What a stage found. Times are those of the rank that measures.
struct StageResult {
    std::vector<double> stepsMs; ///< measured steps only
    std::size_t warmupSteps =
        0; ///< all before the measured ones, also those that were measured while drifting
    double warmupSeconds = 0.0;   ///< of these steps
    bool warmupWasSteady = false; ///< at its end, or the measured steps show that it was
    double exposedMs = 0.0;       ///< sum over the measured steps
    double selectionMs = 0.0;     ///< sum over the measured steps
    double bytesSent = 0.0;       ///< sum over the measured steps
    double lastLoss = 0.0;
    StopReason stopReason = StopReason::None;

    double totalSeconds() const;
};

enum class StageCommand {
    Continue,
    BeginMeasuring, ///< from the next step on, and forget what was measured before
    Stop
};

/// One stage of a measurement: warm-up, then measured steps, until the rule is content. Steps are done in
/// blocks of about a tenth of a second, because a decision costs a message to all ranks. Fed with numbers
/// only.
class StageMeter {
public:
    explicit StageMeter(const StageRule& rule)
        : m_rule(rule)
    {
    }

    void add(const StepReport& step);

    /// What all ranks do next, decided between two blocks; `elapsedSeconds` is the age of the stage.
    StageCommand decide(double elapsedSeconds);

    /// Steps of the next block.
    int nextBlock() const;

    bool isMeasuring() const { return m_isMeasuring; }
    const StageResult& result() const { return m_result; }

private:
    StageCommand decideToMeasure(double elapsedSeconds);
    void measureAnew();

    StageRule m_rule;
    std::vector<double> m_warmUpMs;
    StageResult m_result;
    bool m_isMeasuring = false;
    double m_recentMs = 0.0;
};

} // namespace quadric::trainer
