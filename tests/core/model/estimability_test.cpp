// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions that the runs cannot tell, and factors that are constant within blocks.
#include "core/model/predict/predict.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

namespace quadric::model::test {
namespace {

using testing::HasSubstr;

/// GPUs changed only between allocations. Truth 100 + 40 G + 10 B + 3 W + 6 G B, standard deviation of blocks
/// 8, of runs 1.
study::Study allocations()
{
    study::Study study;
    study.factors = {{.name = "gpus", .low = 1, .high = 8},
                     {.name = "batch", .low = 32, .high = 256},
                     {.name = "workers", .low = 2, .high = 16}};
    study.responses = {{.name = "y"}};
    const std::vector<std::vector<double>> results{{42.4, 50.2, 49.3, 57.4},
                                                   {104.1, 109.2, 136.3, 140.4},
                                                   {55.9, 61.4, 64.3, 68.9},
                                                   {118.9, 124.2, 149.8, 158.4}};
    for (int block = 0; block < 4; ++block) {
        for (int i = 0; i < 4; ++i)
            addRun(study, {block % 2 == 0 ? 1.0 : 8.0, i < 2 ? 32.0 : 256.0, i % 2 == 0 ? 2.0 : 16.0},
                   results[static_cast<std::size_t>(block)][static_cast<std::size_t>(i)])
                .block = block + 1;
    }
    return study;
}

constexpr const char* kModel = "gpus + batch + workers + gpus*batch";

study::CodedPoint coded(double a, double b, double c)
{
    return study::CodedPoint(Eigen::Vector3d(a, b, c));
}

study::Study withoutHighC()
{
    study::Study study = plainStudy({"A", "B", "C"});
    double noise = 0.3;
    for (int i = 0; i < 3; ++i) {
        for (const double a : {-1.0, 1.0}) {
            for (const double b : {-1.0, 1.0}) {
                std::vector<study::Value> x{0.0, 0.0, 0.0};
                x[static_cast<std::size_t>(i)] = a;
                x[static_cast<std::size_t>((i + 1) % 3)] = b;
                noise = -0.8 * noise + 0.05;
                if (std::get<double>(x[2]) < 0.5)
                    addRun(study, x, 50 + 4 * std::get<double>(x[0]) + 6 * std::get<double>(x[2]) + noise);
            }
        }
    }
    for (const double y : {50.2, 49.7, 50.1})
        addRun(study, {0.0, 0.0, 0.0}, y);
    return study;
}

} // namespace

/// In a balanced design generalized least squares are the differences of the means: mean of y at gpus 8 less
/// that at gpus 1 is 130.1625 − 56.225 = 73.9375. Its variance is that of a difference of two means of two
/// blocks each: the means of the blocks, less those at the same gpus, are ∓6.4 and ∓7.6625, so that
/// s² = (2·6.4² + 2·7.6625²)/2 = 99.674 and se = √(s²·(1/2 + 1/2)) = 9.98, on two degrees of freedom.
TEST(RandomBlocks, aFactorThatIsConstantWithinBlocksIsEstimated)
{
    for (const char* model : {kModel, "auto"}) {
        const Fit fit = fitResponse(allocations(), "y", {.model = model});
        ASSERT_TRUE(fit.isOk()) << fit.message;
        ASSERT_TRUE(fit.blockVariance && fit.blockVariance->isRandom()) << model;
        EXPECT_EQ(fit.blockVariance->df, 2);
        const Coefficient& gpus = coefficientOf(fit, "gpus");
        EXPECT_NEAR(2 * gpus.estimate, 73.9375, 1e-6) << model;
        EXPECT_NEAR(2 * gpus.se.value(), 9.9837, 1e-3) << model;
        EXPECT_NEAR(gpus.high.value() - gpus.estimate, 4.302653 * gpus.se.value(), 1e-4) << model;
        EXPECT_LT(coefficientOf(fit, "gpus*batch").p.value(), 1e-6) << "within blocks nothing is lost";
    }
}

TEST(RandomBlocks, intervalsHoldWhatTheRunsGave)
{
    const Fit fit = fitResponse(allocations(), "y", {.model = kModel});
    const Prediction at = predict(fit, coded(-1, 1, 1)); // true mean 67
    ASSERT_TRUE(at.isEstimable && at.confidence && at.newBlock);
    EXPECT_FALSE(at.isExtrapolation);
    EXPECT_LT(at.confidence->low, 57.4);
    EXPECT_GT(at.confidence->high, 68.9);
    EXPECT_LT(at.newBlock->low, at.confidence->low);
    EXPECT_GT(predictMean(fit, coded(1, 1, 1)), predictMean(fit, coded(-1, 1, 1)) + 60) << "gpus raise it";
}

/// Two blocks leave nothing to tell the variance between them by.
TEST(Estimability, aFactorIsNotToldByTwoBlocks)
{
    study::Study study = allocations();
    std::erase_if(study.runs, [](const study::Run& run) { return run.block > 2; });
    for (const char* model : {kModel, "auto"}) {
        const Fit fit = fitResponse(study, "y", {.model = model});
        ASSERT_TRUE(fit.isOk()) << fit.message;
        const Prediction at = predict(fit, coded(1, 1, 1));
        EXPECT_FALSE(at.isEstimable) << model;
        EXPECT_FALSE(at.confidence || at.prediction || at.newBlock || at.se) << model;
        EXPECT_EQ(describeUnknown(fit, coded(1, 1, 1)),
                  "gpus cannot be told apart from blocks: a run at gpus = 8 in block 1 would tell.");
    }
    addRun(study, {8.0, 256.0, 16.0}, 131.0).block = 1;
    EXPECT_TRUE(isEstimable(fitResponse(study, "y", {.model = kModel}), coded(1, 1, 1)));
}

TEST(Estimability, aSquareIsNotToldBeyondTwoLevels)
{
    for (const char* model : {"quadratic", "auto"}) {
        const Fit fit = fitResponse(withoutHighC(), "y", {.model = model});
        ASSERT_TRUE(fit.isOk()) << fit.message;
        EXPECT_FALSE(predict(fit, coded(0, 0, 1)).isEstimable) << model;
        EXPECT_FALSE(predict(fit, coded(0, 0, 1)).confidence) << model;
        EXPECT_EQ(describeUnknown(fit, coded(0, 0, 1)),
                  "All runs have C = -1 or C = 0: a run at C = 1 would tell.");
        EXPECT_TRUE(predict(fit, coded(0.5, 0.5, -0.5)).isEstimable) << model;
    }
    const Fit straight = fitResponse(withoutHighC(), "y", {.model = "linear"});
    EXPECT_TRUE(isEstimable(straight, coded(0, 0, 1))) << "a straight line was asked for";
}

/// Squares that only center runs see together, and interactions that equal others, are what a screening
/// design is made of.
TEST(Estimability, theStructureOfADesignIsNoGap)
{
    study::Study study = plainStudy({"A", "B", "C", "D"});
    double noise = 0.4;
    for (const auto& x : gridOf(3, {-1.0, 1.0})) {
        const double a = std::get<double>(x[0]), b = std::get<double>(x[1]), c = std::get<double>(x[2]);
        noise = -0.7 * noise + 0.1;
        addRun(study, {a, b, c, a * b * c}, 20 + 3 * a - 2 * b + noise);
    }
    for (const double y : {20.3, 19.8, 20.1})
        addRun(study, {0.0, 0.0, 0.0, 0.0}, y);
    const Fit fit = fitResponse(study, "y", {.model = "quadratic"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_TRUE(isEstimable(fit, study::CodedPoint(Eigen::Vector4d(0.5, -0.3, 0.2, 1))));
    EXPECT_EQ(describeUnknown(fit, study::CodedPoint(Eigen::Vector4d::Ones())), "");
}

TEST(Estimability, aFactorThatWasNeverVariedIsToldAtItsOneLevel)
{
    study::Study study = plainStudy({"A", "B"});
    for (const double a : {-1.0, 0.0, 1.0, -1.0, 1.0, 0.0})
        addRun(study, {a, 0.5}, 3 + 2 * a + 0.1 * static_cast<double>(study.runs.size() % 3));
    const Fit fit = fitResponse(study, "y", {.model = "auto"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_TRUE(isEstimable(fit, study::CodedPoint(Eigen::Vector2d(0.4, 0.5))));
    EXPECT_EQ(describeUnknown(fit, study::CodedPoint(Eigen::Vector2d(0.4, -1))),
              "All runs have B = 0.5: a run at B = -1 would tell.");
}

/// Eleven of thirteen runs of a composite design in two blocks.
TEST(Estimability, theSettingOfARunIsNoExtrapolationInAnyBlock)
{
    study::Study study = plainStudy({"A", "B"});
    const std::vector<std::array<double, 4>> rows{
        {-1, -1, 1, 213.0},   {-1, 1, 1, 212.4}, {1, 1, 1, 184.4},      {0, 0, 1, 200.1},
        {0, 0, 1, 202.9},     {0, 0, 1, 200.0},  {-1.414, 0, 2, 214.0}, {1.414, 0, 2, 147.3},
        {0, 1.414, 2, 210.6}, {0, 0, 2, 202.5},  {0, 0, 2, 199.5}};
    for (const auto& [a, b, block, y] : rows)
        addRun(study, {a, b}, y).block = static_cast<int>(block);
    const Fit fit = fitResponse(study, "y", {.model = "quadratic"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    for (const auto& [a, b, block, y] : rows)
        EXPECT_FALSE(predict(fit, study::CodedPoint(Eigen::Vector2d(a, b))).isExtrapolation) << a << " " << b;
}

} // namespace quadric::model::test
