// SPDX-License-Identifier: GPL-3.0-or-later
// The measurement core, fed with made-up numbers.
#include "core/trainer/base/statistics.h"
#include "core/trainer/measure/result.h"
#include "core/trainer/measure/stage_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::trainer {
namespace {

using ::testing::HasSubstr;

std::vector<double> oneTo(int last)
{
    std::vector<double> values(static_cast<std::size_t>(last));
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

TEST(Statistics, QuantilesInterpolateLikeType7)
{
    // R: quantile(c(1, 2, 4, 8, 16), c(0, .25, .5, .9, 1)) gives 1 2 4 12.8 16.
    const std::vector<double> values = {16, 1, 8, 2, 4};
    EXPECT_DOUBLE_EQ(quantile(values, 0.0), 1.0);
    EXPECT_DOUBLE_EQ(quantile(values, 0.25), 2.0);
    EXPECT_DOUBLE_EQ(median(values), 4.0);
    EXPECT_DOUBLE_EQ(quantile(values, 0.9), 12.8);
    EXPECT_DOUBLE_EQ(quantile(values, 1.0), 16.0);
    EXPECT_DOUBLE_EQ(median(std::vector<double>{3.0, 5.0}), 4.0);
    EXPECT_DOUBLE_EQ(median(std::vector<double>{7.0}), 7.0);
}

TEST(Statistics, StudentQuantilesMatchTables)
{
    const std::vector<std::pair<std::size_t, double>> table = {
        {1, 12.706}, {2, 4.303}, {3, 3.182}, {4, 2.776}, {5, 2.571}, {10, 2.228}, {30, 2.042}, {120, 1.980}};
    for (const auto& [degrees, value] : table)
        EXPECT_NEAR(studentQuantile975(degrees), value, 0.0015 * value) << degrees;
}

TEST(Statistics, MeanHalfWidthIsStudentTimesStandardError)
{
    // 1…5: s = √2.5, standard error √0.5, t(4) = 2.776.
    EXPECT_NEAR(*meanHalfWidth(oneTo(5)), 2.776445 * std::sqrt(0.5), 1e-5);
    EXPECT_FALSE(meanHalfWidth(oneTo(1)));
}

constexpr StageRule kShortRule{
    .preparingSteps = 1, .leastWarmupSeconds = 0.2, .warmupSeconds = 2.0, .leastSeconds = 0.4};

TEST(StageMeter, KeepsWarmUpStepsOutOfTheResult)
{
    StageMeter meter(kShortRule);
    const auto feed = [&meter](int steps, double stepMs) {
        for (int i = 0; i < steps; ++i)
            meter.add({.stepMs = stepMs, .exposedMs = stepMs / 4, .bytesSent = 8, .loss = 2.5});
    };
    feed(1, 500.0);
    EXPECT_EQ(meter.decide(0.5), StageCommand::Continue);
    feed(5, 20.0);
    EXPECT_EQ(meter.decide(0.6), StageCommand::Continue) << "less than the least warm-up";
    EXPECT_EQ(meter.nextBlock(), 5) << "a tenth of a second";
    feed(5, 20.0);
    EXPECT_EQ(meter.decide(0.7), StageCommand::BeginMeasuring);
    feed(10, 20.0);
    EXPECT_EQ(meter.decide(0.9), StageCommand::Continue);
    feed(10, 20.0);
    EXPECT_EQ(meter.decide(1.1), StageCommand::Stop);
    const StageResult& result = meter.result();
    EXPECT_EQ(result.stepsMs.size(), 20U);
    EXPECT_EQ(result.warmupSteps, 11U);
    EXPECT_NEAR(result.warmupSeconds, 0.7, 1e-12);
    EXPECT_TRUE(result.warmupWasSteady);
    EXPECT_EQ(result.stopReason, StopReason::Precise);
    EXPECT_NEAR(result.totalSeconds(), 0.4, 1e-12);
    EXPECT_NEAR(result.exposedMs, 100.0, 1e-9);
}

TEST(StageMeter, AnUnsteadyWarmUpEndsWithItsTimeButNotBeforeFivePreparedSteps)
{
    StageMeter meter(kShortRule);
    for (const double step : {900.0, 1200.0, 1300.0, 1400.0, 1500.0}) {
        meter.add({.stepMs = step});
        EXPECT_EQ(meter.decide(9.0), StageCommand::Continue);
    }
    meter.add({.stepMs = 1600});
    EXPECT_EQ(meter.decide(9.0), StageCommand::BeginMeasuring);
    EXPECT_FALSE(meter.result().warmupWasSteady);
    EXPECT_EQ(meter.nextBlock(), 1);
}

TEST(StageMeter, WhatWasMeasuredWhileStepsChangedBelongsToTheWarmUp)
{
    StageMeter meter(kShortRule);
    const auto feed = [&meter](int steps, double from, double by) {
        for (int i = 0; i < steps; ++i)
            meter.add({.stepMs = from + i * by, .exposedMs = 1.0, .bytesSent = 8});
    };
    feed(11, 20.0, 0.0);
    ASSERT_EQ(meter.decide(0.3), StageCommand::BeginMeasuring);
    feed(20, 20.0, 0.1);
    EXPECT_EQ(meter.decide(0.7), StageCommand::BeginMeasuring);
    EXPECT_TRUE(meter.result().stepsMs.empty());
    EXPECT_FALSE(meter.result().warmupWasSteady);
    feed(20, 22.0, 0.0);
    EXPECT_EQ(meter.decide(1.2), StageCommand::Stop);
    EXPECT_EQ(meter.result().warmupSteps, 31U);
    EXPECT_EQ(meter.result().stepsMs, std::vector<double>(20, 22.0));
    EXPECT_DOUBLE_EQ(meter.result().exposedMs, 20.0);
    EXPECT_TRUE(meter.result().warmupWasSteady);
}

RunRecord madeUpRun(int ranks)
{
    RunRecord record;
    record.workload.ranks = ranks;
    record.workload.batchPerRank = 10;
    record.together.stepsMs = {100, 100, 100, 100, 100, 100, 100, 100, 100, 200};
    record.together.exposedMs = 110;
    record.together.bytesSent = 40960;
    record.meanLoss = 1.5;
    return record;
}

TEST(Result, FormulasAreThoseOfTheProtocol)
{
    RunRecord record = madeUpRun(2);
    record.baseline = StageResult{};
    record.baseline->stepsMs = {80, 80, 80, 80, 80, 80, 80, 80};
    const nlohmann::json event = resultEvent(record);
    const nlohmann::json& responses = event.at("responses");
    // 2 ranks × 10 images × 10 steps in 1.1 s; alone 10 images in 80 ms = 125 a second.
    EXPECT_NEAR(responses.at("images_per_sec").get<double>(), 200.0 / 1.1, 1e-9);
    EXPECT_NEAR(responses.at("scaling_efficiency").get<double>(), 100.0 * (200.0 / 1.1) / 250.0, 1e-9);
    EXPECT_DOUBLE_EQ(responses.at("step_ms").get<double>(), 100.0);
    EXPECT_NEAR(responses.at("step_ms_p95").get<double>(), 155.0, 1e-9);
    EXPECT_NEAR(responses.at("comm_exposed_pct").get<double>(), 10.0, 1e-9);
    EXPECT_GT(event.at("spread").at("scaling_efficiency").get<double>(), 0.0);
    EXPECT_EQ(event.at("provenance").at("source"), "measured");
    EXPECT_NEAR(event.at("provenance").at("baseline").at("images_per_sec").get<double>(), 125.0, 1e-9);
}

TEST(Result, MeansAreOverTheMeasuredSteps)
{
    RunRecord record = madeUpRun(2);
    record.together.selectionMs = 30;
    record.workload.datasetImages = 2000;
    record.workload.pricePerRankHour = 3.6;
    const nlohmann::json responses = resultEvent(record).at("responses");
    EXPECT_DOUBLE_EQ(responses.at("bytes_per_step").get<double>(), 4096.0);
    EXPECT_DOUBLE_EQ(responses.at("selection_ms").get<double>(), 3.0);
    // 2000 images at 200/1.1 a second take 11 s; two ranks at 0.001 a second.
    EXPECT_NEAR(responses.at("seconds_per_epoch").get<double>(), 11.0, 1e-9);
    EXPECT_NEAR(responses.at("cost_per_epoch").get<double>(), 0.022, 1e-12);
    record.workload.pricePerRankHour = 0.0;
    EXPECT_FALSE(resultEvent(record).at("responses").contains("cost_per_epoch"));
}

TEST(Result, StrongScalingComparesWithOneRankThatDoesAllTheWork)
{
    RunRecord record = madeUpRun(2);
    record.workload.scaling = Scaling::Strong;
    record.workload.globalBatch = 21;
    record.workload = resolved(record.workload);
    record.baseline = StageResult{};
    record.baseline->stepsMs = std::vector<double>(8, 160.0);
    const nlohmann::json event = resultEvent(record);
    // t1 / (N tN) with 20 images in 160 ms alone and a mean of 110 ms on two ranks.
    EXPECT_NEAR(event.at("responses").at("scaling_efficiency").get<double>(), 100.0 * 160 / (2 * 110), 1e-9);
    const nlohmann::json& scaling = event.at("provenance").at("scaling");
    EXPECT_EQ(scaling.at("global_batch_asked"), 21);
    EXPECT_EQ(scaling.at("global_batch_computed"), 20);
}

/// One rank measured in the run, and the same speed given to the run: the same efficiency, to the bit.
TEST(Result, AGivenBaselineCountsLikeOneOfTheRunItself)
{
    RunRecord own = madeUpRun(2);
    own.baseline = StageResult{};
    own.baseline->stepsMs = {80, 81, 79, 80, 82, 80, 78, 80};
    RunRecord alone;
    alone.workload = makeBaselineWorkload(own.workload);
    alone.together = *own.baseline;
    const nlohmann::json ofOneRank = resultEvent(alone);
    RunRecord given = madeUpRun(2);
    given.workload.baselineRate = ofOneRank.at("responses").at("images_per_sec").get<double>();
    given.workload.baselineHalfWidth = ofOneRank.at("spread").at("images_per_sec").get<double>();
    const nlohmann::json expected = resultEvent(own);
    const nlohmann::json found = resultEvent(given);
    EXPECT_EQ(found.at("responses"), expected.at("responses"));
    EXPECT_DOUBLE_EQ(found.at("spread").at("scaling_efficiency").get<double>(),
                     expected.at("spread").at("scaling_efficiency").get<double>());
    EXPECT_EQ(found.at("provenance").at("baseline").at("from"), "settings");
    EXPECT_EQ(expected.at("provenance").at("baseline").at("from"), "this run");
}

TEST(Result, AGivenBaselineWithoutAnIntervalGivesTheEfficiencyNone)
{
    RunRecord record = madeUpRun(2);
    record.workload.baselineRate = 125.0;
    const nlohmann::json event = resultEvent(record);
    EXPECT_NEAR(event.at("responses").at("scaling_efficiency").get<double>(), 100.0 * (200.0 / 1.1) / 250.0,
                1e-9);
    EXPECT_FALSE(event.at("spread").contains("scaling_efficiency"));
    record.workload.ranks = 1;
    EXPECT_EQ(resultEvent(record).at("responses").at("scaling_efficiency"), 100.0) << "one rank needs none";
}

TEST(Efficiency, ErrorsOfBothRatesAdd)
{
    const Efficiency found = scalingEfficiency({180.0, 0.03}, {100.0, 0.04}, 2);
    EXPECT_DOUBLE_EQ(found.percent, 90.0);
    EXPECT_NEAR(*found.halfWidth, 90.0 * 0.05, 1e-12);
    EXPECT_FALSE(scalingEfficiency({180.0, {}}, {100.0, 0.04}, 2).halfWidth);
}

/// It stays: a run without it would count as failed, with all that it measured.
TEST(Efficiency, ThatIsWiderThanItselfHasAWarning)
{
    EXPECT_TRUE(isMeaningful({242.0, 120.0}));
    EXPECT_FALSE(isMeaningful({242.0, 318.0}));
    RunRecord record = madeUpRun(2);
    record.baseline = StageResult{};
    record.baseline->stepsMs = {10.0, 500.0, 20.0, 900.0};
    const nlohmann::json event = resultEvent(record);
    EXPECT_TRUE(event.at("responses").contains("scaling_efficiency"));
    EXPECT_TRUE(event.at("spread").contains("scaling_efficiency"));
    EXPECT_THAT(event.at("provenance").at("warnings").dump(),
                HasSubstr("the scaling efficiency is known to "));
}

TEST(Result, OneRankIsFullyEfficientByDefinition)
{
    const nlohmann::json event = resultEvent(madeUpRun(1));
    EXPECT_DOUBLE_EQ(event.at("responses").at("scaling_efficiency").get<double>(), 100.0);
}

TEST(Result, LeavesOutWhatIsNotKnownOrNotFinite)
{
    RunRecord record = madeUpRun(2);
    record.meanLoss = std::nan("");
    record.together.stepsMs.assign(200, 10.0);
    record.together.warmupWasSteady = true;
    const nlohmann::json event = resultEvent(record);
    EXPECT_FALSE(event.at("responses").contains("scaling_efficiency"));
    EXPECT_FALSE(event.at("responses").contains("loss_end"));
    EXPECT_EQ(event.at("provenance").at("warnings").size(), 1U);
}

std::string warningsOf(const RunRecord& record)
{
    return resultEvent(record).at("provenance").at("warnings").dump();
}

TEST(Result, SaysWhenTooLittleWasMeasuredOrTheStepsHadNotSettled)
{
    RunRecord record = madeUpRun(2);
    record.together.warmupWasSteady = true;
    EXPECT_THAT(warningsOf(record), HasSubstr("only 10 steps were measured; raise max_seconds"));
    record.together.stepsMs.assign(50, 10.0);
    EXPECT_THAT(warningsOf(record), HasSubstr("measured for 0.5 s instead of 1.0 s"));
    record.workload.engine = EngineKind::Cuda;
    EXPECT_THAT(warningsOf(record), HasSubstr("measured for 0.5 s instead of 10.0 s"));
    record.workload.minSeconds = 0.5;
    EXPECT_EQ(warningsOf(record), "[]");
    record.baseline = record.together;
    record.baseline->warmupWasSteady = false;
    EXPECT_THAT(warningsOf(record), HasSubstr("baseline: the steps had not settled"));
}

TEST(Result, ADriftAboveOnePerCentDisturbs)
{
    RunRecord record = madeUpRun(2);
    record.together.stepsMs.clear();
    for (int i = 0; i < 200; ++i)
        record.together.stepsMs.push_back(100.0 + 0.01 * i + 0.05 * (i % 2));
    const nlohmann::json slower = resultEvent(record).at("provenance");
    EXPECT_EQ(slower.at("disturbed"), true);
    EXPECT_EQ(slower.at("disturbed_because"),
              "drifting: the steps became 2.0 % slower while they were measured");
    EXPECT_NEAR(slower.at("drift_pct").get<double>(), 1.98, 0.01);
    std::ranges::reverse(record.together.stepsMs);
    record.baseline = record.together;
    record.together.stepsMs.assign(200, 100.0);
    EXPECT_EQ(resultEvent(record).at("provenance").at("disturbed_because"),
              "during the baseline, drifting: the steps became 2.0 % faster while they were measured");
}

/// What explains why two runs of equal settings differ, or do not.
TEST(Result, NamesThePlansThatConvolutionsWereComputedWith)
{
    RunRecord record = madeUpRun(1);
    EXPECT_FALSE(resultEvent(record).at("provenance").contains("convolution_plans"));
    record.engine.plans.add("forward", "engine 38_2=12_5=30");
    record.engine.plans.add("backward", "engine 38_2=8");
    record.engine.plans.add("again", "engine 7");
    record.engine.plans.timed = 2;
    record.engine.plans.kept = 1;
    const nlohmann::json plans = resultEvent(record).at("provenance").at("convolution_plans");
    EXPECT_EQ(plans.at("engines"), (nlohmann::json{{"engine 38", 2}, {"engine 7", 1}}));
    EXPECT_EQ(plans.at("timed"), 2);
    EXPECT_EQ(plans.at("kept"), 1);
    EXPECT_EQ(plans.at("hash").get<std::string>().size(), 16U);
    PlanRecord other;
    other.add("forward", "engine 38_2=12_5=31");
    PlanRecord same;
    same.add("forward", "engine 38_2=12_5=30");
    EXPECT_NE(other.hash, same.hash) << "a knob of an engine is another plan";
}

} // namespace
} // namespace quadric::trainer
