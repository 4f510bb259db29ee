// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/engine.h"
#include "core/trainer/workload/workload.h"

#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quadric::trainer {

// Successive steps resemble each other, so that intervals from single steps are too narrow. They are taken
// from blocks of successive steps instead (batch means: Law, Simulation Modeling and Analysis, section 9.5.3;
// 10 to 30 blocks: Schmeiser 1982). docs/trainer.md defines the numbers for other programs that measure.

/// A series has as many blocks as half seconds, from 10 to 30; below 20 steps each step is one.
std::size_t blockCount(std::span<const double> stepsMs);

/// Mean, or median, of each block. Block i of k contains the steps from ⌊i·n/k⌋ to ⌊(i+1)·n/k⌋ − 1.
std::vector<double> blockMeans(std::span<const double> stepsMs);

/// Half widths of the 95 % intervals of the mean and of the median step, ms: Student's t over the blocks.
/// Nothing below two steps.
std::optional<double> meanStepHalfWidth(std::span<const double> stepsMs);
std::optional<double> medianStepHalfWidth(std::span<const double> stepsMs);

/// How much longer steps became from the beginning of a series to its end.
struct Drift {
    double percent = 0.0;   ///< of the mean step: slope of the line through the block means × blocks
    double halfWidth = 0.0; ///< of its 95 % interval, percentage points

    /// No drift that can be told from noise, or a negligible one (0.3 %).
    bool isSettled() const;
    /// More than 1 %, and no noise: the mean is not that of sustained work.
    bool disturbs() const;
};

/// Nothing below three steps.
std::optional<Drift> estimateDrift(std::span<const double> stepsMs);

/// A speed that is not worth a full measurement where a setting does not reach it for sure.
struct SlowStep {
    double stepMs = 0.0;   ///< longer is worse
    bool isMedian = false; ///< of the median step; otherwise of the mean step
};

/// How a stage is measured, as numbers; what they mean stands in docs/trainer.md ("When a stage is
/// measured"), and tests/references/trainer/stop_rule.json has what they decide. Other programs that measure
/// use the same.
struct StageRule {
    std::size_t preparingSteps = 1;    ///< first ones, which load kernels, connect, or record graphs
    double leastWarmupSeconds = 0.5;   ///< of steps after the preparing ones
    double warmupSeconds = 30.0;       ///< limit of the warm-up
    double leastSeconds = 1.0;         ///< of measured steps
    double relativeHalfWidth = 0.005;  ///< wanted, of the 95 % interval of the median step
    double secondsLimit = 60.0;        ///< of the stage
    std::optional<SlowStep> slow = {}; ///< a measurement may end as a short look
};

/// Fewer measured steps than these say little, and a result of fewer says so.
inline constexpr std::size_t kEnoughSteps = 20;

enum class WarmUpDecision { Continue, Steady, OutOfTime };

/// `stepsMs` are all steps of the warm-up, preparing ones included; `elapsedSeconds` is the age of the stage.
WarmUpDecision decideWarmUp(std::span<const double> stepsMs, double elapsedSeconds, const StageRule& rule);

enum class StopReason {
    None,
    Drifting, ///< the measured steps still change: they belong to the warm-up, and measuring begins anew
    Precise,
    SurelySlow, ///< StageRule::slow is exceeded
    OutOfTime
};

/// `stepsMs` are the measured steps, `nextSeconds` is what the next block of steps will take. A measurement
/// out of time still gets three steps, because fewer say nothing.
StopReason decideMeasuring(std::span<const double> stepsMs, double elapsedSeconds, double nextSeconds,
                           const StageRule& rule);

/// In words, for people: "the 95 % interval of the median step is narrow enough", …
std::string describe(StopReason reason);

/// What QUADRIC_SHORT_LOOK says (docs/worker-protocol.md). Throws Failure (bad-settings) where that is no
/// object with a response and a number.
ShortLookBar readShortLook(const std::string& text);

/// The step that the bar of the workload stands for; empty without a bar, and where its response is not
/// calculated from the time of steps alone.
std::optional<SlowStep> makeSlowStep(const Workload& workload);

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

    double totalSeconds() const { return std::accumulate(stepsMs.begin(), stepsMs.end(), 0.0) / 1000.0; }
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
