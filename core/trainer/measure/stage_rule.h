// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace quadric::trainer {

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

} // namespace quadric::trainer
