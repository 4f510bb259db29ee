// SPDX-License-Identifier: GPL-3.0-or-later
// Data computed from a known model must give that model back.
#include "core/model/predict/predict.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model::test {

namespace {

double quadraticTruth(double a, double b)
{
    return 12 + 3 * a - 2 * b + 0.5 * a * b - 1.5 * a * a + 0.25 * b * b;
}

study::Study quadraticStudy(double scale)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, scale * quadraticTruth(std::get<double>(point[0]), std::get<double>(point[1])));
    return study;
}

} // namespace

TEST(ExactModel, coefficientsComeBackAtAnyScale)
{
    const std::map<std::string, double> truth{{"1", 12},    {"A", 3},      {"B", -2},
                                              {"A*B", 0.5}, {"A^2", -1.5}, {"B^2", 0.25}};
    for (const double scale : {1e-100, 1e-5, 1.0, 1e5, 1e100}) {
        const Fit fit = fitResponse(quadraticStudy(scale), "y");
        ASSERT_TRUE(fit.isOk()) << fit.message;
        EXPECT_EQ(fit.sigma, 0.0);
        EXPECT_EQ(fit.r2, 1.0);
        for (const Coefficient& row : fit.coefficients) {
            EXPECT_NEAR(row.estimate, scale * truth.at(row.term), 1e-11 * scale) << row.term;
            EXPECT_FALSE(row.t.has_value());
            EXPECT_FALSE(row.p.has_value());
        }
    }
}

TEST(ExactModel, settingsAreCodedOnTheirActualValues)
{
    study::Study study = plainStudy({"A", "B"});
    study.factors[0].low = 32;
    study.factors[0].high = 256;
    study.factors[0].scale = study::Scale::Log2;
    study.factors[1].low = 10;
    study.factors[1].high = 30;
    for (const double a : {32.0, 90.0, 128.0, 256.0, 40.0, 200.0}) {
        for (const double b : {10.0, 21.0, 30.0})
            addRun(study, {a, b}, 5 + 2 * std::log2(a) + 0.5 * b - 0.1 * std::log2(a) * b);
    }
    const Fit fit = fitResponse(study, "y", {.model = "interactions"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    const std::map<std::string, double> truth{{"1", 5}, {"A", 2}, {"B", 0.5}, {"A*B", -0.1}};
    for (const ActualCoefficient& row : fit.actualCoefficients)
        EXPECT_NEAR(row.estimate, truth.at(row.term), 1e-10) << row.term;
}

TEST(ExactModel, categoricalLevelsSumToZero)
{
    study::Study study = plainStudy({"A", "precision"});
    study.factors[1].type = study::FactorType::Categorical;
    study.factors[1].categories = {"fp32", "bf16", "fp8"};
    const std::map<std::string, double> level{{"fp32", -4}, {"bf16", 1}, {"fp8", 3}};
    const std::map<std::string, double> slope{{"fp32", 0.5}, {"bf16", -0.2}, {"fp8", -0.3}};
    for (const double a : {-1.0, 0.0, 1.0}) {
        for (const auto& [name, effect] : level)
            addRun(study, {a, name}, 20 + 2 * a + effect + slope.at(name) * a);
    }
    const Fit fit = fitResponse(study, "y", {.model = "interactions"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    for (const auto& [name, effect] : level) {
        EXPECT_NEAR(coefficientOf(fit, "precision[" + name + "]").estimate, effect, 1e-12);
        EXPECT_NEAR(coefficientOf(fit, "A*precision[" + name + "]").estimate, slope.at(name), 1e-12);
    }
    EXPECT_NEAR(fit.effects[1].effect, 7.0, 1e-12); // range of the three levels
    EXPECT_NEAR(predictMean(fit, study::CodedPoint(Eigen::Vector2d(0.5, 2))), 20 + 1 + 3 - 0.15, 1e-12);
}

TEST(ExactModel, effectOfTwoLevelsIsSecondMinusFirst)
{
    study::Study study = plainStudy({"A", "precision"});
    study.factors[1].type = study::FactorType::Categorical;
    study.factors[1].categories = {"fp32", "bf16"};
    for (const double a : {-1.0, 0.0, 1.0}) {
        addRun(study, {a, "fp32"}, 10 + a);
        addRun(study, {a, "bf16"}, 16 + a);
    }
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_NEAR(fit.effects[0].effect, 2.0, 1e-12);
    EXPECT_NEAR(fit.effects[1].effect, 6.0, 1e-12);
}

TEST(ExactModel, blocksDoNotDisturbTheTerms)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1})) {
        const double a = std::get<double>(point[0]), b = std::get<double>(point[1]);
        const int block = (static_cast<int>(a + b) + 5) % 3 + 1; // a Latin square
        addRun(study, point, 4 + 3 * a - 2 * b - 1.5 * a * a + 10 * block).block = block;
    }
    const Fit fit = fitResponse(study, "y", {.model = "A^2 + B"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_EQ(fit.parameters, 6);
    EXPECT_EQ(rowOf(fit.anova, "Blocks").df, 2);
    const std::map<std::string, double> truth{
        {"1", 24}, {"A", 3}, {"B", -2}, {"A^2", -1.5}, {"block[1]", -10}, {"block[2]", 0}, {"block[3]", 10}};
    for (const Coefficient& row : fit.coefficients)
        EXPECT_NEAR(row.estimate, truth.at(row.term), 1e-12) << row.term;
    EXPECT_NEAR(predictMean(fit, study::CodedPoint(Eigen::Vector2d(1, 1))), 24 + 3 - 2 - 1.5, 1e-12);
}

} // namespace quadric::model::test
