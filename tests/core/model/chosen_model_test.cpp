// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of models whose terms were chosen. Expected values: R 4.2.2, tests/references/models/chosen_model.R
#include "core/model/fit/prediction_error.h"
#include "core/model/fit/selection_test.h"
#include "core/model/predict/predict.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/tables/model_tables.h"
#include "expectations.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace quadric::model::test {

namespace {

const std::vector<double> kStrong = {9.2,  14.9, 11.3, 13.2, 9.7,  15.1, 9.9, 13.4,
                                     12.6, 11.3, 12.5, 12.4, 12.4, 10.8, 13.1};
const std::vector<double> kWeak = {10.3, 11.9, 9.6,  12.8, 8.9,  12.1, 10.9, 11.2,
                                   11.6, 9.4,  10.2, 11.7, 12.4, 11.1, 12.0};

/// The Box–Behnken design of three factors with three center runs.
study::Study boxBehnken(const std::vector<double>& y)
{
    const std::vector<std::vector<study::Value>> settings = {
        {-1.0, -1.0, 0.0}, {1.0, -1.0, 0.0}, {-1.0, 1.0, 0.0}, {1.0, 1.0, 0.0},   {-1.0, 0.0, -1.0},
        {1.0, 0.0, -1.0},  {-1.0, 0.0, 1.0}, {1.0, 0.0, 1.0},  {0.0, -1.0, -1.0}, {0.0, 1.0, -1.0},
        {0.0, -1.0, 1.0},  {0.0, 1.0, 1.0},  {0.0, 0.0, 0.0},  {0.0, 0.0, 0.0},   {0.0, 0.0, 0.0}};
    study::Study study = plainStudy({"A", "B", "C"});
    for (std::size_t i = 0; i < y.size(); ++i)
        addRun(study, settings[i], y[i]);
    return study;
}

Prediction predictChosen(const std::vector<double>& y)
{
    const Fit fit = fitResponse(boxBehnken(y), "y", {.model = "auto"});
    study::CodedPoint at{Eigen::Vector3d(0.5, -0.5, 0.25)};
    return predict(fit, at);
}

void expectPrediction(const Prediction& at, double mean, double se, const Interval& confidence,
                      const Interval& prediction)
{
    expectRelative(at.mean, mean, "mean");
    expectRelative(at.se.value(), se, "se");
    expectRelative(at.confidence.value().low, confidence.low, "confidence low");
    expectRelative(at.confidence.value().high, confidence.high, "confidence high");
    expectRelative(at.prediction.value().low, prediction.low, "prediction low");
    expectRelative(at.prediction.value().high, prediction.high, "prediction high");
}

// The chosen model has the larger error: terms that matter were left out.
TEST(ChosenModelTest, intervalsHaveTheCovarianceOfAllCandidates)
{
    const Prediction at = predictChosen(kWeak);
    expectPrediction(at, 11.570208333333, 0.426843469863, {10.619141814415, 12.521274852252},
                     {9.532187468459, 13.608229198208});
}

// The full model has the larger error.
TEST(ChosenModelTest, intervalsHaveTheLargerError)
{
    const Prediction at = predictChosen(kStrong);
    expectPrediction(at, 13.45125, 0.482291005782, {12.211481501047, 14.691018498953},
                     {10.794575605287, 16.107924394713});
}

TEST(ChosenModelTest, curvesAndSurfacesHaveTheSameIntervals)
{
    const study::Study study = boxBehnken(kWeak);
    const Fit fit = fitResponse(study, "y", {.model = "auto"});
    study::CodedPoint at{Eigen::Vector3d(0.0, 0.0, 0.5)};
    const EffectCurve curve = effectCurve(fit, 0, at, 5);
    const SurfaceGrid grid = surfaceGrid(fit, study, 0, 1, at, 5);
    for (int i = 0; i < 5; ++i) {
        at[0] = -1.0 + 0.5 * i;
        const Interval expected = predict(fit, at).confidence.value();
        EXPECT_NEAR(curve.low[static_cast<std::size_t>(i)], expected.low, 1e-12);
        EXPECT_NEAR(grid.low(i, 2), expected.low, 1e-12);
        EXPECT_NEAR(grid.high(i, 2), expected.high, 1e-12);
    }
}

TEST(ChosenModelTest, modelsThatWereGivenKeepTheirIntervals)
{
    const Fit fit = fitResponse(boxBehnken(kWeak), "y", {.model = "A + C + C^2"});
    const PredictionError error(fit);
    EXPECT_EQ(error.sigma(), fit.sigma);
    EXPECT_EQ(error.df(), fit.dfResidual);
    EXPECT_EQ(error.unscaledCovariance(), fit.unscaledCovariance);
    EXPECT_FALSE(isChosen(fit));
    EXPECT_FALSE(testSelection(fit));
    EXPECT_EQ(findModelP(fit), rowOf(fit, "Model")->p);
}

// 4,000 permutations in R: 0.176 where the model alone has 0.020.
TEST(ChosenModelTest, pCountsTheChoice)
{
    const Fit fit = fitResponse(boxBehnken(kWeak), "y", {.model = "auto"});
    EXPECT_EQ(fit.model, "A + B + C + B*C");
    EXPECT_NEAR(rowOf(fit, "Model")->p.value(), 0.02019853, 1e-8);
    EXPECT_TRUE(isChosen(fit));
    const SelectionTest test = testSelection(fit).value();
    EXPECT_NEAR(test.p, 0.1755, 0.1);
    EXPECT_GT(test.permutations, 0);
    EXPECT_EQ(test.p, testSelection(fitResponse(boxBehnken(kWeak), "y", {.model = "auto"}))->p);
    const std::vector<report::Finding> findings = report::findInFit(fit);
    const auto found = std::ranges::find(findings, "Fit", &report::Finding::topic);
    ASSERT_NE(found, findings.end());
    EXPECT_EQ(found->code, "no-significant-model");
    EXPECT_THAT(found->sentence, testing::HasSubstr("chosen by these data"));
    EXPECT_THAT(report::makeCoefficientTable(fit).note, testing::HasSubstr("chosen by these data"));
}

TEST(ChosenModelTest, aStrongModelNeedsNoPermutations)
{
    std::vector<double> y(kStrong.size());
    const study::Study study = boxBehnken(y);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const study::CodedPoint at = study::Coding(study.factors).toCoded(study.runs[i].settings);
        y[i] = 50.0 + 20.0 * at[0] - 10.0 * at[1] + 0.1 * kWeak[i];
    }
    const SelectionTest test = testSelection(fitResponse(boxBehnken(y), "y", {.model = "auto"})).value();
    EXPECT_EQ(test.permutations, 0);
    EXPECT_LT(test.p, 0.001);
}

// Blocks are 10 apart: permuted across them, the noise would be ten times as large.
TEST(ChosenModelTest, responsesArePermutedWithinBlocks)
{
    study::Study study = boxBehnken(kWeak);
    study::Study shifted = study;
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const bool isSecond = i % 2 == 1;
        study.runs[i].block = shifted.runs[i].block = isSecond ? 2 : 1;
        shifted.runs[i].results["y"] += isSecond ? 8.0 : 0.0;
    }
    const SelectionTest a = testSelection(fitResponse(study, "y", {.model = "auto"})).value();
    const SelectionTest b = testSelection(fitResponse(shifted, "y", {.model = "auto"})).value();
    EXPECT_NEAR(a.p, b.p, 0.08);
}

} // namespace

} // namespace quadric::model::test
