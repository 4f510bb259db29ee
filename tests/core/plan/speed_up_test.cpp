// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/speed_up.h"
#include "core/plan/words/speed_up_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quadric::plan {
namespace {

using ::testing::HasSubstr;

/// Efficiency of GPUs 1, 2, 4, 8 at each of two batches.
study::Study scalingStudy(const std::vector<std::pair<double, double>>& efficiencies,
                          const char* response = "scaling_efficiency")
{
    study::Study study;
    study.factors = {{.name = "gpus",
                      .type = study::FactorType::Integer,
                      .low = 1,
                      .high = 8,
                      .scale = study::Scale::Log2,
                      .binds = "ranks"},
                     {.name = "batch_per_gpu", .low = 16, .high = 32}};
    study.responses = {{.name = response, .unit = "%"}};
    study.benchmark.workload = "command";
    for (const auto& [count, value] : efficiencies) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        run.settings = {{"gpus", count}, {"batch_per_gpu", study.runs.size() % 2 == 0 ? 16.0 : 32.0}};
        run.status = study::RunStatus::Done;
        run.results = {{response, value}};
        run.spread = {{response, 0.5}};
        study.runs.push_back(run);
    }
    return study;
}

const std::vector<std::pair<double, double>> kMeasured{{1, 100}, {1, 100}, {2, 95}, {2, 97},
                                                       {4, 88},  {4, 91},  {8, 80}, {8, 84}};

TEST(SpeedUp, OfARunIsItsEfficiencyTimesItsGpus)
{
    const SpeedUp speedUp = computeSpeedUp(scalingStudy(kMeasured), {}, {});
    ASSERT_EQ(speedUp.runs.size(), kMeasured.size()) << speedUp.message;
    EXPECT_DOUBLE_EQ(speedUp.runs.back().speedUp, 0.84 * 8);
    EXPECT_DOUBLE_EQ(speedUp.runs.back().interval->low, 0.835 * 8);
    EXPECT_DOUBLE_EQ(idealSpeedUp(speedUp, 8), 8.0);
    study::Study larger = scalingStudy(kMeasured);
    larger.fixed["baseline_ranks"] = 2.0;
    EXPECT_DOUBLE_EQ(computeSpeedUp(larger, {}, {}).runs.back().speedUp, 0.84 * 4);
}

/// R: exp(t.test(log(c(6.4, 6.72)))$conf.int), exp(mean(log(…))).
TEST(SpeedUp, WithoutAModelIsTheGeometricMeanWithItsTInterval)
{
    const SpeedUpPoint eight = computeSpeedUp(scalingStudy(kMeasured), {}, {}).counts.back();
    EXPECT_EQ(eight.runs, 2);
    EXPECT_NEAR(eight.speedUp, 6.55804849, 1e-7);
    EXPECT_NEAR(eight.interval->low, 4.810130260, 1e-8);
    EXPECT_NEAR(eight.interval->high, 8.941130005, 1e-8);
}

/// The count is known exactly, so that it scales prediction and interval alike.
TEST(SpeedUp, OfAModelIsItsPredictionTimesTheGpus)
{
    const study::Study study = scalingStudy(kMeasured);
    const model::Fit fit = model::fitResponse(study, "scaling_efficiency", {.model = "linear"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    const study::Coding coding(study.factors);
    const SpeedUp speedUp = computeSpeedUp(study, fit, coding.center());
    ASSERT_TRUE(speedUp.isModeled);
    ASSERT_EQ(speedUp.counts.size(), 4U);
    for (const SpeedUpPoint& point : speedUp.counts) {
        const model::Prediction expected =
            model::predict(fit, coding.toCoded({{"gpus", point.count}, {"batch_per_gpu", 24.0}}));
        EXPECT_NEAR(point.speedUp, expected.mean * point.count / 100.0, 1e-12);
        EXPECT_NEAR(point.interval->high, expected.confidence->high * point.count / 100.0, 1e-12);
        EXPECT_EQ(point.runs, 2);
    }
    EXPECT_DOUBLE_EQ(speedUp.curve.front().count, 1.0);
    EXPECT_DOUBLE_EQ(speedUp.curve.back().count, 8.0);
}

/// The t interval of the logarithms holds as often as it says for speed-ups with errors in proportion.
TEST(SpeedUp, IntervalsHoldAsOftenAsTheySay)
{
    constexpr int kStudies = 2000;
    std::mt19937_64 random(4);
    std::normal_distribution<double> noise(0.0, 0.03);
    int holds = 0;
    for (int i = 0; i < kStudies; ++i) {
        std::vector<std::pair<double, double>> runs;
        for (int run = 0; run < 4; ++run)
            runs.emplace_back(8.0, 85.0 * std::exp(noise(random)));
        const SpeedUpPoint mean = computeSpeedUp(scalingStudy(runs), {}, {}).counts.front();
        holds += mean.interval->low <= 6.8 && mean.interval->high >= 6.8 ? 1 : 0;
    }
    EXPECT_NEAR(holds / double(kStudies), 0.95, 4.0 * std::sqrt(0.95 * 0.05 / kStudies));
}

TEST(SpeedUp, WeakAndStrongAreNamedAsWhatTheyAre)
{
    study::Study study = scalingStudy(kMeasured);
    EXPECT_EQ(scalingOf(study), ScalingKind::Weak) << "batch_per_gpu";
    study.factors[1].name = "global_batch";
    EXPECT_EQ(scalingOf(study), ScalingKind::Strong);
    study.factors[1].name = "rate";
    EXPECT_EQ(scalingOf(study), ScalingKind::Unknown);
    study.fixed["scaling"] = std::string("strong");
    EXPECT_EQ(scalingOf(study), ScalingKind::Strong);
    study.fixed.clear();
    study.benchmark.workload = "builtin";
    EXPECT_EQ(scalingOf(study), ScalingKind::Weak) << "its default";
    study.benchmark.options["scaling"] = std::string("strong");
    EXPECT_EQ(scalingOf(study), ScalingKind::Strong);
    study.factors.push_back(
        {.name = "scaling", .type = study::FactorType::Categorical, .categories = {"weak", "strong"}});
    EXPECT_EQ(scalingOf(study), ScalingKind::Either);
    const report::Table table = makeSpeedUpTable(computeSpeedUp(scalingStudy(kMeasured), {}, {}));
    EXPECT_THAT(table.note,
                HasSubstr("Weak scaling: the work of each GPU stays the same. Speeds are relative "
                          "to 1 GPU at the same other settings."));
    EXPECT_EQ(table.rows.size(), 4U);
    EXPECT_THAT(makeSpeedUpTable(SpeedUp{}).note,
                HasSubstr("A fixed setting scaling = weak or strong says it."));
}

TEST(SpeedUp, WhatIsMissingIsNamed)
{
    study::Study study = scalingStudy(kMeasured, "tokens_per_sec");
    EXPECT_THAT(computeSpeedUp(study, {}, {}).message, HasSubstr("add the response scaling_efficiency"));
    study = scalingStudy({});
    EXPECT_EQ(computeSpeedUp(study, {}, {}).message, "No run has a result of scaling_efficiency yet.");
    study.factors.clear();
    EXPECT_EQ(computeSpeedUp(study, {}, {}).message, "No factor is the number of GPUs.");
    const SpeedUp related = computeSpeedUp(scalingStudy({{4, 3.5}}, "speed_up"), {}, {});
    EXPECT_DOUBLE_EQ(related.runs.front().speedUp, 3.5) << "as it is";
}

} // namespace
} // namespace quadric::plan
