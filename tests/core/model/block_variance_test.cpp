// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks as drawn at random beside a fit with fixed ones. Known answers:
// tests/references/models/random_blocks.R.
#include "core/model/fit/block_variance.h"
#include "core/model/predict/predict.h"

#include <gtest/gtest.h>

#include <array>

namespace quadric::model::test {

namespace {

/// Factors A and B from −1 to 1, coded settings and results as given, y = A + B.
study::Study studyInBlocks(const std::vector<std::array<double, 2>>& settings, const std::vector<double>& y,
                           const std::vector<int>& blocks)
{
    study::Study study;
    for (const char* name : {"A", "B"})
        study.factors.push_back({.name = name, .low = -1.0, .high = 1.0});
    study.responses.push_back({.name = "y"});
    study.model["y"] = "A + B";
    for (std::size_t i = 0; i < y.size(); ++i) {
        study::Run run;
        run.id = run.order = static_cast<int>(i) + 1;
        run.block = blocks[i];
        run.settings = {{"A", settings[i][0]}, {"B", settings[i][1]}};
        run.results["y"] = y[i];
        run.status = study::RunStatus::Done;
        study.runs.push_back(run);
    }
    return study;
}

const std::vector<std::array<double, 2>> kFive{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}, {0, 0}};

study::Study threeBlocks()
{
    std::vector<std::array<double, 2>> settings;
    for (int block = 0; block < 3; ++block)
        settings.insert(settings.end(), kFive.begin(), kFive.end());
    settings.push_back({0, 1});
    return studyInBlocks(
        settings,
        {52.1, 49.3, 55.8, 51.2, 58.4, 60.3, 54.9, 61.2, 57.7, 63.8, 47.2, 46.1, 52.9, 46.6, 54.0, 50.0},
        {1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3});
}

Fit fitOf(const study::Study& study)
{
    return fitStudy(study).front();
}

} // namespace

TEST(RandomBlocks, varianceIsThatOfRestrictedMaximumLikelihood)
{
    const Fit fit = fitOf(threeBlocks());
    ASSERT_TRUE(fit.blockVariance.has_value());
    EXPECT_EQ(fit.blockVariance->blocks, 3);
    EXPECT_NEAR(fit.blockVariance->between, 25.4892738225, 1e-4);
    EXPECT_NEAR(fit.sigma, 2.875516995762, 1e-11) << "the fit itself is that of fixed blocks";
}

TEST(RandomBlocks, runInANewBlockVariesAsBlocksDo)
{
    const Fit fit = fitOf(threeBlocks());
    const study::CodedPoint point(Eigen::Vector2d(0.5, -0.5));
    const Prediction one = predict(fit, point), three = predict(fit, point, 3);
    EXPECT_NEAR(one.mean, 52.4539718615, 1e-9);
    EXPECT_NEAR(one.newBlock->high - one.mean, 24.0485040414, 2e-4);
    EXPECT_NEAR(three.newBlock->high - three.mean, 25.3381580293, 2e-4);
    EXPECT_NEAR(computeNewBlockError(fit, one.leverage, 3)->df, 2.0897399805, 1e-5);
    EXPECT_LT(one.prediction->high, one.newBlock->high);
}

TEST(RandomBlocks, runsInSeveralNewBlocksAverageThem)
{
    const Fit fit = fitOf(threeBlocks());
    const NewRunError together = *computeNewBlockError(fit, 0.1, 4);
    const NewRunError apart = *computeNewBlockError(fit, 0.1, 4, 0.25);
    EXPECT_NEAR(together.variance - apart.variance, 0.75 * fit.blockVariance->between, 1e-12);
}

TEST(RandomBlocks, blocksThatDifferLessThanRunsHaveNoVariance)
{
    study::Study study = threeBlocks();
    const std::vector<double> means{52.1, 58.3, 48.3}; // take the differences of the blocks away
    const Fit before = fitOf(study);
    for (study::Run& run : study.runs)
        run.results["y"] -= means[static_cast<std::size_t>(run.block) - 1];
    const Fit fit = fitOf(study);
    ASSERT_TRUE(fit.blockVariance.has_value());
    EXPECT_EQ(fit.blockVariance->between, 0.0);
    EXPECT_NEAR(fit.sigma, before.sigma, 1e-12);
    const Prediction at = predict(fit, study::CodedPoint(Eigen::Vector2d(0.5, -0.5)));
    EXPECT_NEAR(at.newBlock->high / at.prediction->high, 1.0, 0.05);
}

TEST(RandomBlocks, oneBlockTellsNothingOfOthers)
{
    study::Study study = threeBlocks();
    for (study::Run& run : study.runs)
        run.block = 1;
    const Fit fit = fitOf(study);
    EXPECT_FALSE(fit.blockVariance.has_value());
    const Prediction at = predict(fit, study::CodedPoint(Eigen::Vector2d::Zero()));
    EXPECT_FALSE(at.newBlock.has_value());
    EXPECT_EQ(at.ofNewRuns()->high, at.prediction->high);
}

TEST(RandomBlocks, twoBlocksLeaveHardlyMoreThanOneDegreeOfFreedom)
{
    study::Study study = threeBlocks();
    std::erase_if(study.runs, [](const study::Run& run) { return run.block == 3; });
    const Fit fit = fitOf(study);
    const std::optional<NewRunError> error = computeNewBlockError(fit, 0.1, 1);
    ASSERT_TRUE(error.has_value());
    EXPECT_GE(error->df, 1.0);
    EXPECT_LT(error->df, 2.0);
}

TEST(RandomBlocks, exactRunsHaveNoEstimate)
{
    study::Study study = threeBlocks();
    for (study::Run& run : study.runs)
        run.results["y"] = 10.0 * run.block + std::get<double>(run.settings["A"]);
    EXPECT_FALSE(fitOf(study).blockVariance.has_value());
}

} // namespace quadric::model::test
