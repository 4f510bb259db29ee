// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/curves.h"
#include "core/model/predict/predict.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model::test {
namespace {

study::Study trebuchet()
{
    return studyOf(readOracle("04_trebuchet_bbd3"));
}

} // namespace

TEST(Predict, intervalForSeveralRunsShrinksToTheMeanInterval)
{
    const Fit fit = fitResponse(trebuchet(), "y");
    const study::CodedPoint point(Eigen::Vector3d(0.5, -0.5, 0.2));
    const Prediction one = predict(fit, point);
    for (const int m : {1, 2, 5, 1000000}) {
        const Prediction prediction = predict(fit, point, m);
        const double half = prediction.prediction->high - prediction.mean;
        const double t = (one.confidence->high - one.mean) / *one.se;
        EXPECT_NEAR(half, t * fit.sigma * std::sqrt(1.0 / m + one.leverage), 1e-10);
    }
}

TEST(Predict, extrapolationIsMarked)
{
    const Fit fit = fitResponse(trebuchet(), "y");
    EXPECT_FALSE(predict(fit, study::CodedPoint(Eigen::Vector3d::Zero())).isExtrapolation);
    for (const Diagnostic& d : fit.diagnostics)
        EXPECT_LE(d.leverage, fit.maxLeverage);
    EXPECT_TRUE(
        predict(fit, study::CodedPoint(Eigen::Vector3d::Ones())).isExtrapolation); // no run at a corner
    EXPECT_TRUE(predict(fit, study::CodedPoint(Eigen::Vector3d(3, 0, 0))).isExtrapolation);
}

TEST(Predict, gradientAgreesWithDifferences)
{
    const study::Study study = trebuchet();
    for (const std::string transform : {"none", "log", "sqrt", "inverse", "boxcox:0.7"}) {
        const Fit fit = fitResponse(study, "y", {.transform = study::transformFrom(transform)});
        ASSERT_TRUE(fit.isOk()) << transform << fit.message;
        const study::CodedPoint point(Eigen::Vector3d(0.3, -0.6, 0.8));
        const Eigen::VectorXd gradient = predictGradient(fit, point);
        for (Eigen::Index i = 0; i < 3; ++i) {
            study::CodedPoint up = point, down = point;
            up[i] += 1e-5;
            down[i] -= 1e-5;
            EXPECT_NEAR(gradient[i], (predictMean(fit, up) - predictMean(fit, down)) / 2e-5, 1e-5)
                << transform;
        }
    }
}

TEST(EffectCurve, followsThePrediction)
{
    const study::Study study = trebuchet();
    const Fit fit = fitResponse(study, "y");
    const EffectCurve curve = effectCurve(fit, study, 0, study::CodedPoint(Eigen::Vector3d::Zero()), 5);
    EXPECT_EQ(curve.actual, (std::vector<double>{4, 5, 6, 7, 8}));
    for (std::size_t i = 0; i < curve.mean.size(); ++i) {
        const Prediction expected =
            predict(fit, study::CodedPoint(Eigen::Vector3d(-1 + 0.5 * static_cast<double>(i), 0, 0)));
        EXPECT_DOUBLE_EQ(curve.mean[i], expected.mean);
        EXPECT_DOUBLE_EQ(curve.low[i], expected.confidence->low);
    }
    EXPECT_EQ(curve.adjustedAt, (std::vector<double>{4, 6, 8}));
    EXPECT_EQ(curve.adjustedRuns, (std::vector<int>{4, 7, 4}));
}

/// y = 10 + 2a + 6b where high a was tried with high b, mostly: raw means would show a slope of 2 + 4. Nearly
/// exact, for results that agree in every digit would count as copies.
study::Study lopsidedStudy()
{
    study::Study study = plainStudy({"a", "b"});
    for (const auto& [a, b] : std::initializer_list<std::pair<double, double>>{
             {-1, -1}, {-1, -1}, {-1, -1}, {-1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, -1}})
        addRun(study, {a, b}, 10 + 2 * a + 6 * b + 1e-9 * static_cast<double>(study.runs.size()));
    return study;
}

TEST(EffectCurve, pointsOfAnExactModelLieOnTheLineWhereverTheRunsAre)
{
    const study::Study study = lopsidedStudy();
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    for (const double b : {-1.0, 0.0, 1.0}) {
        const EffectCurve curve = effectCurve(fit, study, 0, study::CodedPoint(Eigen::Vector2d(0, b)), 5);
        ASSERT_EQ(curve.adjustedMean.size(), 2U);
        EXPECT_NEAR(curve.adjustedMean[0], 8 + 6 * b, 1e-7);
        EXPECT_NEAR(curve.adjustedMean[1], 12 + 6 * b, 1e-7);
    }
}

TEST(EffectCurve, pointsAreTheLineAndTheMeanResidual)
{
    study::Study study = lopsidedStudy();
    addRun(study, {0.0, 0.0}, 14.0); // above the plane
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    const EffectCurve curve = effectCurve(fit, study, 1, study::CodedPoint(Eigen::Vector2d(1, 0)), 3);
    EXPECT_EQ(curve.adjustedRuns, (std::vector<int>{4, 1, 4}));
    const double residual = 14.0 - predictMean(fit, study::CodedPoint(Eigen::Vector2d::Zero()));
    EXPECT_NEAR(curve.adjustedMean[1], curve.mean[1] + residual, 1e-9);
    EXPECT_GT(residual, 3.0);
}

TEST(EffectCurve, pointsAreAdjustedOnTheScaleOfTheModel)
{
    study::Study study = lopsidedStudy();
    for (study::Run& run : study.runs)
        run.results["y"] = std::exp(run.results["y"] / 10);
    study.responses[0].transform = {study::TransformKind::Log, 1.0};
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    const EffectCurve curve = effectCurve(fit, study, 0, study::CodedPoint(Eigen::Vector2d(0, 1)), 3);
    EXPECT_NEAR(curve.adjustedMean[1], std::exp(1.8), 1e-7);
    const InteractionPlot plot =
        interactionPlot(fit, study, 0, 1, study::CodedPoint(Eigen::Vector2d(0, 0)), 3);
    EXPECT_NEAR(plot.lines[0].curve.adjustedMean[1], std::exp(0.6), 1e-7);
    EXPECT_EQ(plot.lines[0].curve.adjustedRuns, (std::vector<int>{3, 1}));
}

TEST(EffectCurve, log2FactorIsSampledEvenlyOnItsScale)
{
    study::Study study = plainStudy({"batch"});
    study.factors[0].low = 32;
    study.factors[0].high = 256;
    study.factors[0].scale = study::Scale::Log2;
    for (const double batch : {32.0, 64.0, 128.0, 256.0})
        addRun(study, {batch}, std::log2(batch) + (batch == 64 ? 0.1 : 0));
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    const EffectCurve curve = effectCurve(fit, 0, study::CodedPoint(Eigen::VectorXd::Zero(1)), 4);
    EXPECT_TRUE(curve.isLog2);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(curve.actual[i], 32 * std::pow(2.0, static_cast<double>(i)), 1e-9);
}

TEST(SurfaceGrid, agreesWithPredictEverywhere)
{
    const study::Study study = trebuchet();
    const study::Coding coding(study.factors);
    for (const std::string transform : {"none", "log"}) {
        const Fit fit = fitResponse(study, "y", {.transform = study::transformFrom(transform)});
        const study::CodedPoint at(Eigen::Vector3d(0, 0.4, 0));
        const SurfaceGrid grid = surfaceGrid(fit, study, 0, 2, at);
        ASSERT_EQ(grid.z.rows(), 41);
        ASSERT_EQ(grid.z.cols(), 41);
        for (Eigen::Index i = 0; i < 41; i += 8) {
            for (Eigen::Index j = 0; j < 41; j += 5) {
                study::CodedPoint point = at;
                point[0] = coding.toCoded(0, grid.x[static_cast<std::size_t>(i)]);
                point[2] = coding.toCoded(2, grid.y[static_cast<std::size_t>(j)]);
                const Prediction expected = predict(fit, point);
                EXPECT_NEAR(grid.z(i, j), expected.mean, 1e-9);
                EXPECT_EQ(grid.isExtrapolation(i, j), expected.isExtrapolation);
                EXPECT_NEAR(grid.se(i, j), *expected.se, 1e-9);
                const double slope = transform == "log" ? expected.mean : 1.0;
                EXPECT_NEAR(*expected.se, slope * fit.sigma * std::sqrt(expected.leverage), 1e-9);
            }
        }
        ASSERT_EQ(grid.observed.size(), study.runs.size());
        EXPECT_EQ(grid.observed[0].run, 1);
        EXPECT_DOUBLE_EQ(grid.observed[0].x, 4);
        EXPECT_DOUBLE_EQ(grid.observed[0].z, 33);
        EXPECT_NEAR(grid.observed[0].fitted, predictMean(fit, coding.toCoded(study.runs[0].settings)), 1e-12);
    }
}

// Data computed from a known model must give that model back.

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
