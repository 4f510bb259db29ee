// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/engine.h"

#include <string>
#include <vector>

namespace quadric::trainer {

/// Tells when the steps have settled: the last five differ by less than 2 % of their median. Fed with numbers
/// only.
class WarmUp {
public:
    void add(double stepMs);
    bool isSteady() const;
    std::size_t steps() const { return m_steps; }

private:
    std::vector<double> m_last;
    std::size_t m_steps = 0;
};

enum class StopReason { None, Precise, OutOfTime };

struct StopRuleOptions {
    double relativeHalfWidth = 0.005; ///< of the 95 % interval of the median step
    std::size_t minimumSteps = 20;
    double secondsLimit = 60.0;
};

/// Tells when a measurement is good enough or out of time. Fed with numbers only.
class StopRule {
public:
    explicit StopRule(const StopRuleOptions& options)
        : m_options(options)
    {
    }

    /// `elapsedSeconds` is the age of the stage, `nextSeconds` what the next block of steps will take. A
    /// measurement out of time still gets three steps, because fewer say nothing.
    StopReason decide(std::span<const double> stepsMs, double elapsedSeconds, double nextSeconds) const;

private:
    StopRuleOptions m_options;
};

struct StageOptions {
    StopRuleOptions stop;
    double warmupSeconds = 30.0;
};

/// What a stage found. Times are those of the rank that measures.
struct StageResult {
    std::vector<double> stepsMs; ///< measured steps only
    std::size_t warmupSteps = 0;
    bool warmupWasSteady = false;
    double exposedMs = 0.0;   ///< sum over the measured steps
    double selectionMs = 0.0; ///< sum over the measured steps
    double bytesSent = 0.0;   ///< sum over the measured steps
    double lastLoss = 0.0;
    StopReason stopReason = StopReason::None;

    double totalSeconds() const;
};

enum class StageCommand { Continue, BeginMeasuring, Stop };

/// One stage of a measurement: warm-up, then measured steps, until the stop rule is content. Steps are done
/// in blocks of about a tenth of a second, because a decision costs a message to all ranks.
class StageMeter {
public:
    explicit StageMeter(const StageOptions& options)
        : m_options(options)
        , m_rule(options.stop)
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
    StageOptions m_options;
    StopRule m_rule;
    WarmUp m_warmUp;
    StageResult m_result;
    bool m_isMeasuring = false;
    double m_recentMs = 0.0;
};

/// In words, for people: "the 95 % interval of the median step is narrow enough", …
std::string describe(StopReason reason);

} // namespace quadric::trainer
