// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is compared with, and how often a setting that is as good as the best one is given up.
#include "core/trainer/base/failure.h"
#include "core/trainer/base/random.h"
#include "core/trainer/measure/slow_step.h"
#include "core/trainer/measure/stage_meter.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::trainer {
namespace {

Workload comparedWith(const std::string& response, double worseThan)
{
    Workload workload;
    workload.ranks = 4;
    workload.batchPerRank = 8;
    workload.aggregation = 2;
    workload.shortLook = ShortLookBar{response, worseThan};
    return workload;
}

TEST(ShortLook, SaysWhatIsWrongWithItsBar)
{
    EXPECT_EQ(readShortLook(R"({"response": "step_ms", "worse_than": 41.5})").response, "step_ms");
    EXPECT_EQ(readShortLook(R"({"response": "step_ms", "worse_than": 41.5})").worseThan, 41.5);
    for (const char* text :
         {"", "7", "{", R"({"response": "step_ms"})", R"({"worse_than": 1})",
          R"({"response": 1, "worse_than": 1})", R"({"response": "a", "worse_than": "b"})"}) {
        try {
            readShortLook(text);
            ADD_FAILURE() << text;
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), kBadSettings);
            EXPECT_NE(std::string(failure.what()).find("QUADRIC_SHORT_LOOK"), std::string::npos);
        }
    }
}

TEST(ShortLook, StandsForAStepWhereTheResponseIsOfStepsAlone)
{
    EXPECT_FALSE(slowStepOf(Workload()));
    EXPECT_DOUBLE_EQ(slowStepOf(comparedWith("step_ms", 41.5))->stepMs, 41.5);
    EXPECT_TRUE(slowStepOf(comparedWith("step_ms", 41.5))->isMedian);
    EXPECT_DOUBLE_EQ(slowStepOf(comparedWith("images_per_sec", 640.0))->stepMs, 100.0) << "64 images a step";
    EXPECT_FALSE(slowStepOf(comparedWith("images_per_sec", 640.0))->isMedian);
    EXPECT_FALSE(slowStepOf(comparedWith("images_per_sec", -1.0)));
    EXPECT_FALSE(slowStepOf(comparedWith("memory_peak_mib", 100.0)));
    EXPECT_FALSE(slowStepOf(baselineOf(comparedWith("step_ms", 41.5))));
}

/// Steps about 10 ms whose noise resembles that of the step before, some of them late by half.
class Machine {
public:
    Machine(std::uint64_t seed, double meanMs)
        : m_random(seed * 1'000'003)
        , m_meanMs(meanMs)
    {
    }

    double stepMs()
    {
        constexpr double kLikeness = 0.5, kNoise = 0.03, kLateShare = 0.02, kLate = 0.5;
        m_error = kLikeness * m_error + std::sqrt(1.0 - kLikeness * kLikeness) * kNoise * m_random.normal();
        const double late = m_random.uniform() < kLateShare ? kLate : 0.0;
        return m_meanMs * (1.0 + m_error + late) / (1.0 + kLateShare * kLate);
    }

private:
    Random m_random;
    double m_meanMs;
    double m_error = 0.0;
};

struct Outcome {
    bool isGivenUp = false;
    double seconds = 0.0;
};

/// A measurement against a mean step of 10 ms, asked from block to block; a wider result than any is wanted
/// of it, so that only the time ends it.
Outcome measure(std::uint64_t seed, double meanMs, double secondsLimit, double relativeHalfWidth)
{
    StageRule rule{.leastWarmupSeconds = 0.1, .relativeHalfWidth = relativeHalfWidth};
    rule.secondsLimit = secondsLimit;
    rule.slow = SlowStep{10.0, false};
    Machine machine(seed, meanMs);
    StageMeter meter(rule);
    double now = 0.0;
    for (StageCommand next = StageCommand::Continue; next != StageCommand::Stop; next = meter.decide(now)) {
        for (int i = meter.nextBlock(); i > 0; --i) {
            meter.add({.stepMs = machine.stepMs()});
            now += 0.01;
        }
    }
    return {meter.result().stopReason == StopReason::SurelySlow, now};
}

TEST(ShortLook, OneInAThousandSettingsAsGoodAsTheBestIsGivenUp)
{
    constexpr int kTrials = 4000;
    int givenUp = 0;
    for (int trial = 0; trial < kTrials; ++trial)
        givenUp += measure(static_cast<std::uint64_t>(trial) + 1, 10.0, 10.0, 1e-9).isGivenUp ? 1 : 0;
    EXPECT_LE(givenUp, 4) << "of " << kTrials;
}

TEST(ShortLook, SavesMostOfTheTimeWhereASettingIsATenthSlower)
{
    constexpr int kTrials = 100;
    int givenUp = 0;
    double seconds = 0.0;
    double full = 0.0;
    for (int trial = 0; trial < kTrials; ++trial) {
        const Outcome outcome = measure(static_cast<std::uint64_t>(trial) + 1, 11.0, 60.0, 0.003);
        givenUp += outcome.isGivenUp ? 1 : 0;
        seconds += outcome.seconds;
        full += measure(static_cast<std::uint64_t>(trial) + 1, 9.0, 60.0, 0.003).seconds; // never given up
    }
    EXPECT_GE(givenUp, 95);
    EXPECT_LE(seconds, 0.5 * full);
    RecordProperty("seconds", std::to_string(seconds / kTrials));
    RecordProperty("seconds_in_full", std::to_string(full / kTrials));
}

} // namespace
} // namespace quadric::trainer
