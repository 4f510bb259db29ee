// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/contention.h"
#include "core/trainer/exchange/engine.h"
#include "core/trainer/measure/result.h"
#include "core/trainer/measure/stage_rule.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>

namespace quadric::trainer {

/// What a rank used of its processors, read before and after the measured steps.
struct RankUsage {
    std::uint64_t place = 0; ///< equal for ranks that may use the same processors of the same host
    machine::UsageReading before;
    machine::UsageReading after;
};

/// What got in the way of the ranks: at each place the time of its ranks is taken from the load of its
/// processors, and the worst place counts. Where only GPUs compute, others may use processors that the ranks
/// leave idle: what disturbs then is that ranks lost time themselves (steal, displacement).
machine::Contention assessRankContention(std::span<const RankUsage> ranks, bool computesOnGpus);

/// One rank's part of a run: baseline (rank 0 alone), then all ranks together, then the result. Rank 0
/// measures and reports; the others follow its decisions.
class RankSession {
public:
    using Clock = std::chrono::steady_clock;
    using Report = std::function<void(const nlohmann::json&)>;

    /// `started` is when the run began, for its time limit; `report` receives the events of rank 0.
    RankSession(const Workload& workload, Collective& collective, Clock::time_point started, Report report);

    /// Throws Failure.
    void run();

private:
    void measureBaseline(RunRecord& record);
    void makeEngine(RunRecord& record);
    double trainForLoss();
    void checkParameters();
    StageResult measureTogether();
    StageResult lead(Engine& engine, Peers peers, const StageRule& rule);
    void runBlock(Engine& engine, StageMeter& meter, int steps, Peers peers);
    void takeReading(const Engine& engine, bool first);
    machine::Contention contention();
    void reportProgress(const StageMeter& meter, Peers peers);
    void reportTraining();
    bool isTimeForProgress();
    StageRule stageRule(double seconds, std::size_t preparingSteps) const;
    double age() const;
    double measuringAge() const { return age() - m_setUpSeconds; }
    bool leads() const { return m_collective.rank() == 0; }
    double secondsTogether() const;

    Workload m_workload;
    Collective& m_collective;
    Clock::time_point m_started;
    Report m_report;
    double m_setUpSeconds = 0.0; ///< so far; max_seconds does not count it
    std::unique_ptr<Engine> m_engine;
    machine::UsageReading m_before;       ///< at the first measured step
    machine::UsageReading m_after;        ///< after the last one
    std::optional<double> m_joulesBefore; ///< at the first measured step
    std::optional<double> m_usedJoules;   ///< from then to the last one
    machine::ClockReading m_clocksBefore; ///< at the first measured step
    machine::ClockReading m_usedClocks;   ///< from then to the last one
    Clock::time_point m_lastSample{};
    Clock::time_point m_lastProgress{};
};

} // namespace quadric::trainer
