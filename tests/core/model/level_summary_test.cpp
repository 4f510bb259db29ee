// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: quantile(), sd(), mean() and range() of R 4.2.2.
#include "core/model/predict/level_summary.h"

#include <gtest/gtest.h>

#include <numeric>

namespace quadric::model {
namespace {

/// A study of one numeric factor x and one categorical factor p with these runs.
study::Study studyOf(const std::vector<std::pair<double, double>>& runs)
{
    study::Study study;
    study::Factor x;
    x.name = "x";
    x.low = 0.0;
    x.high = 100.0;
    study::Factor p;
    p.name = "p";
    p.type = study::FactorType::Categorical;
    p.categories = {"fp32", "bf16", "fp8"};
    study.factors = {x, p};
    study::Response y;
    y.name = "y";
    study.responses = {y};
    for (const auto& [at, value] : runs) {
        study::Run run;
        run.id = static_cast<int>(study.runs.size()) + 1;
        run.settings = {{"x", at}, {"p", std::string(run.id % 2 == 0 ? "fp8" : "fp32")}};
        run.status = study::RunStatus::Done;
        run.results["y"] = value;
        study.runs.push_back(run);
    }
    return study;
}

TEST(LevelSummaryTest, BoxAndMomentsAreThoseOfR)
{
    const study::Study study = studyOf({{10, 1663.1},
                                        {10, 16643.6},
                                        {10, 11499.3},
                                        {10, 14857.1},
                                        {10, 12000.5},
                                        {10, 99000},
                                        {10, 11800.2}});
    const LevelSummary summary = summarizeLevels(study, study.responses[0], 0);
    ASSERT_EQ(summary.groups.size(), 1U);
    const LevelGroup& group = summary.groups[0];
    EXPECT_EQ(group.level, "10");
    EXPECT_DOUBLE_EQ(group.box.lowerQuartile, 11649.75);
    EXPECT_DOUBLE_EQ(group.box.median, 12000.5);
    EXPECT_DOUBLE_EQ(group.box.upperQuartile, 15750.35);
    EXPECT_DOUBLE_EQ(group.box.lowerWhisker, 11499.3);
    EXPECT_DOUBLE_EQ(group.box.upperWhisker, 16643.6);
    EXPECT_NEAR(group.mean, 23923.4, 1e-9);
    EXPECT_NEAR(group.sd.value(), 33443.22525, 1e-5);
    EXPECT_EQ(group.smallest, 1663.1);
    EXPECT_EQ(group.largest, 99000);
}

TEST(LevelSummaryTest, OneRunHasNoStandardDeviation)
{
    const study::Study study = studyOf({{10, 5.0}});
    const LevelGroup group = summarizeLevels(study, study.responses[0], 0).groups.at(0);
    EXPECT_FALSE(group.sd.has_value());
    EXPECT_EQ(group.box.lowerWhisker, 5.0);
    EXPECT_EQ(group.box.upperQuartile, 5.0);
}

TEST(LevelSummaryTest, CategoriesKeepTheirOrderAndThoseWithoutRunsAreLeftOut)
{
    const study::Study study = studyOf({{10, 1}, {20, 2}, {30, 3}});
    const LevelSummary summary = summarizeLevels(study, study.responses[0], 1);
    ASSERT_EQ(summary.groups.size(), 2U);
    EXPECT_EQ(summary.groups[0].level, "fp32");
    EXPECT_EQ(summary.groups[0].runs, (std::vector{1, 3}));
    EXPECT_EQ(summary.groups[1].level, "fp8");
}

TEST(LevelSummaryTest, RunsThatNoModelIsFittedToAreLeftOut)
{
    study::Study study = studyOf({{10, 1}, {10, 2}, {10, 3}, {10, 4}});
    study.runs[0].status = study::RunStatus::Excluded;
    study.runs[1].kind = study::RunKind::Confirmation;
    study.runs[2].status = study::RunStatus::Failed;
    const LevelSummary summary = summarizeLevels(study, study.responses[0], 0);
    ASSERT_EQ(summary.groups.size(), 1U);
    EXPECT_EQ(summary.groups[0].runs, std::vector{4});
}

TEST(LevelSummaryTest, ManyLevelsAreGroupedIntoRangesOfEqualNumbers)
{
    std::vector<std::pair<double, double>> runs(23);
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i] = {4.0 * static_cast<double>((i * 7) % 23), static_cast<double>(i)};
    const study::Study study = studyOf(runs);
    const LevelSummary summary = summarizeLevels(study, study.responses[0], 0);
    EXPECT_TRUE(summary.isGrouped);
    EXPECT_EQ(summary.testedLevels, 23);
    ASSERT_EQ(summary.groups.size(), 5U);
    std::size_t total = 0;
    double last = -1.0;
    for (const LevelGroup& group : summary.groups) {
        EXPECT_NEAR(static_cast<double>(group.values.size()), 4.6, 1.0);
        EXPECT_GT(group.low, last);
        last = group.high;
        total += group.values.size();
    }
    EXPECT_EQ(total, runs.size());
    EXPECT_EQ(summary.groups[0].level, "0–16");
}

TEST(LevelSummaryTest, RunsOfOneLevelStayTogetherInARange)
{
    std::vector<std::pair<double, double>> runs(30, {50.0, 1.0});
    for (int i = 0; i < 9; ++i)
        runs.emplace_back(10.0 * i, 2.0);
    const study::Study study = studyOf(runs);
    for (const LevelGroup& group : summarizeLevels(study, study.responses[0], 0).groups) {
        if (group.low <= 50.0 && group.high >= 50.0) {
            EXPECT_GE(group.values.size(), 31U);
        }
    }
}

} // namespace
} // namespace quadric::model
