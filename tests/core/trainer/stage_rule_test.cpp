// SPDX-License-Identifier: GPL-3.0-or-later
// The rule by which stages are measured: against a second implementation of its text, and how near it comes
// to the sustained speed of machines that are made up.
#include "core/trainer/base/statistics.h"
#include "core/trainer/measure/stage_rule.h"

#include "core/trainer/base/failure.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <functional>

namespace quadric::trainer {
namespace {

using nlohmann::json;

json readFixture()
{
    std::ifstream file(sourcePath("tests/references/trainer/stop_rule.json"));
    return json::parse(file);
}

StageRule ruleFrom(const json& text)
{
    return {.preparingSteps = text.at("preparing_steps").get<std::size_t>(),
            .leastWarmupSeconds = text.at("warmup_least_seconds").get<double>(),
            .warmupSeconds = text.at("warmup_seconds").get<double>(),
            .leastSeconds = text.at("min_seconds").get<double>(),
            .relativeHalfWidth = text.at("interval_pct").get<double>() / 100.0,
            .secondsLimit = text.at("max_seconds").get<double>()};
}

/// Student's quantiles are an expansion here and integrals there.
void expectNear(std::optional<double> found, const json& expected, const char* name, const std::string& where)
{
    const double value = expected.at(name).get<double>();
    ASSERT_TRUE(found) << where << ' ' << name;
    EXPECT_NEAR(*found, value, 0.002 * std::abs(value) + 1e-9) << where << ' ' << name;
}

TEST(StageRule, BlocksIntervalsAndDriftAreThoseOfTheSecondImplementation)
{
    const nlohmann::json fixture = readFixture();
    for (const json& expected : fixture.at("statistics")) {
        const std::string name = expected.at("name").get<std::string>();
        const auto steps = expected.at("steps_ms").get<std::vector<double>>();
        EXPECT_EQ(blockCount(steps), expected.at("blocks").get<std::size_t>()) << name;
        const auto means = expected.at("block_means_ms").get<std::vector<double>>();
        const std::vector<double> found = blockMeans(steps);
        ASSERT_EQ(found.size(), means.size()) << name;
        for (std::size_t i = 0; i < means.size(); ++i)
            EXPECT_NEAR(found[i], means[i], 1e-9) << name << ' ' << i;
        expectNear(median(steps), expected, "median_ms", name);
        expectNear(meanStepHalfWidth(steps), expected, "mean_half_width_ms", name);
        expectNear(medianStepHalfWidth(steps), expected, "median_half_width_ms", name);
        if (!expected.contains("drift_pct"))
            continue;
        const std::optional<Drift> drift = estimateDrift(steps);
        ASSERT_TRUE(drift) << name;
        expectNear(drift->percent, expected, "drift_pct", name);
        expectNear(drift->halfWidth, expected, "drift_half_width_pct", name);
    }
}

TEST(StageRule, DecidesAsTheSecondImplementation)
{
    const json fixture = readFixture();
    const std::map<WarmUpDecision, std::string> warmUp = {{WarmUpDecision::Continue, "continue"},
                                                          {WarmUpDecision::Steady, "steady"},
                                                          {WarmUpDecision::OutOfTime, "out-of-time"}};
    for (const json& one : fixture.at("warm_up")) {
        const WarmUpDecision found =
            decideWarmUp(one.at("steps_ms").get<std::vector<double>>(),
                         one.at("elapsed_seconds").get<double>(), ruleFrom(one.at("rule")));
        EXPECT_EQ(warmUp.at(found), one.at("decision").get<std::string>()) << one.at("name");
    }
    const std::map<StopReason, std::string> measuring = {{StopReason::None, "continue"},
                                                         {StopReason::Drifting, "drifting"},
                                                         {StopReason::Precise, "precise"},
                                                         {StopReason::OutOfTime, "out-of-time"}};
    for (const json& one : fixture.at("measuring")) {
        const StopReason found = decideMeasuring(
            one.at("steps_ms").get<std::vector<double>>(), one.at("elapsed_seconds").get<double>(),
            one.at("next_seconds").get<double>(), ruleFrom(one.at("rule")));
        EXPECT_EQ(measuring.at(found), one.at("decision").get<std::string>()) << one.at("name");
    }
}

TEST(StageRule, LooksShortlyAsTheSecondImplementation)
{
    const std::map<StopReason, std::string> names = {{StopReason::None, "continue"},
                                                     {StopReason::Drifting, "drifting"},
                                                     {StopReason::Precise, "precise"},
                                                     {StopReason::SurelySlow, "surely-slow"},
                                                     {StopReason::OutOfTime, "out-of-time"}};
    const json fixture = readFixture();
    for (const json& one : fixture.at("short_look")) {
        StageRule rule = ruleFrom(one.at("rule"));
        rule.slow = SlowStep{one.at("slow").at("step_ms").get<double>(), one.at("slow").at("of") == "median"};
        const StopReason found = decideMeasuring(one.at("steps_ms").get<std::vector<double>>(),
                                                 one.at("elapsed_seconds").get<double>(),
                                                 one.at("next_seconds").get<double>(), rule);
        EXPECT_EQ(names.at(found), one.at("decision").get<std::string>()) << one.at("name");
    }
}

/// A machine whose steps take `stepMs(seconds)`, with noise that resembles that of the step before.
struct MadeUpMachine {
    std::function<double(double)> stepMs;
    double noise = 0.003;
    double likeness = 0.5;
};

struct Measured {
    StageResult result;
    double seconds = 0.0; ///< of the whole stage
};

Measured measure(const MadeUpMachine& machine, const StageRule& rule, std::uint64_t seed)
{
    Random random(seed * 1'000'003); // successive seeds are the same numbers, moved by one
    StageMeter meter(rule);
    double now = 0.0, error = 0.0;
    for (StageCommand next = StageCommand::Continue; next != StageCommand::Stop; next = meter.decide(now)) {
        for (int i = meter.nextBlock(); i > 0; --i) {
            error = machine.likeness * error +
                    std::sqrt(1.0 - machine.likeness * machine.likeness) * machine.noise * random.normal();
            const double stepMs = machine.stepMs(now) * (1.0 + error);
            meter.add({.stepMs = stepMs});
            now += stepMs / 1000.0;
        }
    }
    return {meter.result(), now};
}

const StageRule kGpuRule{
    .preparingSteps = 3, .leastWarmupSeconds = 5.0, .warmupSeconds = 18.0, .leastSeconds = 10.0};

/// The largest distance from the sustained speed in per cent, of images per second (mean) and of the median
/// step.
double worstErrorPct(const MadeUpMachine& machine, double sustainedMs)
{
    double worst = 0.0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Measured found = measure(machine, kGpuRule, seed);
        const auto steps = static_cast<double>(found.result.stepsMs.size());
        const double mean = 1000.0 * found.result.totalSeconds() / steps;
        worst = std::max({worst, 100.0 * std::abs(mean / sustainedMs - 1.0),
                          100.0 * std::abs(median(found.result.stepsMs) / sustainedMs - 1.0)});
    }
    return worst;
}

/// Clocks fall as the GPU grows warm: towards the sustained step, or along a line for ten seconds.
TEST(SustainedSpeed, OfAGpuThatSlowsOverTenSecondsIsMeasuredWithinHalfAPerCent)
{
    for (const double stepMs : {5.0, 30.0}) {
        for (const double share : {0.05, 0.10}) {
            const auto decay = [=](double t) { return stepMs * (1.0 - share * std::exp(-t / 10.0)); };
            const auto line = [=](double t) {
                return stepMs * (1.0 - share * std::max(0.0, 1.0 - t / 10.0));
            };
            EXPECT_LT(worstErrorPct({decay}, stepMs), 0.5) << stepMs << " ms, " << share << " decaying";
            EXPECT_LT(worstErrorPct({line}, stepMs), 0.5) << stepMs << " ms, " << share << " along a line";
        }
    }
}

TEST(SustainedSpeed, OfAGpuThatDoesNotSlowTakesNoLongerThanItMust)
{
    double seconds = 0.0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed)
        seconds += measure({[](double) { return 30.0; }}, kGpuRule, seed).seconds / 60.0;
    EXPECT_GT(seconds, 15.0);
    EXPECT_LT(seconds, 17.0);
}

/// What was left when the time is over is said: a stage of 20 s cannot find the end of a decay of 10 s.
TEST(SustainedSpeed, ThatCouldNotBeReachedInTimeIsMarked)
{
    StageRule rule = kGpuRule;
    rule.secondsLimit = 20.0;
    rule.warmupSeconds = 6.0;
    const auto decay = [](double t) { return 30.0 * (1.0 - 0.1 * std::exp(-t / 10.0)); };
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const StageResult result = measure({decay}, rule, seed).result;
        EXPECT_EQ(result.stopReason, StopReason::OutOfTime);
        EXPECT_FALSE(result.warmupWasSteady);
        const std::optional<Drift> drift = estimateDrift(result.stepsMs);
        ASSERT_TRUE(drift);
        EXPECT_TRUE(drift->disturbs());
        EXPECT_GT(drift->percent, 1.0) << "slower";
    }
}

/// Intervals of the mean step contain the true one; those of single steps would in two runs of three.
TEST(BlockIntervals, HoldWhatTheyPromiseWhereStepsResembleEachOther)
{
    int inBlocks = 0, inSteps = 0;
    constexpr int kRuns = 400;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
        const StageResult result = measure({[](double) { return 30.0; }, 0.01, 0.5}, kGpuRule, seed).result;
        const double mean = 1000.0 * result.totalSeconds() / static_cast<double>(result.stepsMs.size());
        inBlocks += std::abs(mean - 30.0) <= *meanStepHalfWidth(result.stepsMs) ? 1 : 0;
        inSteps += std::abs(mean - 30.0) <= *meanHalfWidth(result.stepsMs) ? 1 : 0;
    }
    EXPECT_GT(inBlocks, 0.92 * kRuns);
    EXPECT_LT(inSteps, 0.85 * kRuns);
}

// What a run is compared with, and how often a setting that is as good as the best one is given up.

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
    EXPECT_FALSE(makeSlowStep(Workload()));
    EXPECT_DOUBLE_EQ(makeSlowStep(comparedWith("step_ms", 41.5))->stepMs, 41.5);
    EXPECT_TRUE(makeSlowStep(comparedWith("step_ms", 41.5))->isMedian);
    EXPECT_DOUBLE_EQ(makeSlowStep(comparedWith("images_per_sec", 640.0))->stepMs, 100.0)
        << "64 images a step";
    EXPECT_FALSE(makeSlowStep(comparedWith("images_per_sec", 640.0))->isMedian);
    EXPECT_FALSE(makeSlowStep(comparedWith("images_per_sec", -1.0)));
    EXPECT_FALSE(makeSlowStep(comparedWith("memory_peak_mib", 100.0)));
    EXPECT_FALSE(makeSlowStep(makeBaselineWorkload(comparedWith("step_ms", 41.5))));
}

/// Steps about 10 ms whose noise resembles that of the step before, some of them late by half.
class NoisyMachine {
public:
    NoisyMachine(std::uint64_t seed, double meanMs)
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
    NoisyMachine machine(seed, meanMs);
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
