// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: tests/references/models/weights.R (lm with weights, τ² by optimize()).
#include "core/model/fit/weights.h"
#include "core/model/predict/predict.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace quadric::model::test {

namespace {

const std::vector<double> kA{-1, 1, -1, 1, 0, -1, 1, -1, 1, 0, -1, 1, -1, 1, 0, 0};
const std::vector<double> kB{-1, -1, 1, 1, 0, -1, -1, 1, 1, 0, -1, -1, 1, 1, 0, 1};
const std::vector<double> kY{50.81, 51.60, 46.90, 52.20, 48.80, 49.98, 53.30, 47.40,
                             50.90, 50.45, 51.50, 52.30, 43.40, 51.65, 51.30, 47.75};
const std::vector<double> kSpread{0.2, 0.5, 1.1,  0.3, 0.8, 0.2,  0.6, 1.3,
                                  0.4, 0.9, 0.25, 0.7, 1.2, 0.35, 1.0, 0.5};

study::Study weightedStudy()
{
    study::Study study;
    for (const char* name : {"A", "B"})
        study.factors.push_back({.name = name, .low = -1.0, .high = 1.0});
    study.responses.push_back({.name = "y", .weights = study::Weights::Spread});
    study.model["y"] = "A + B + A*B + A^2";
    for (std::size_t i = 0; i < kY.size(); ++i) {
        study::Run run;
        run.id = run.order = static_cast<int>(i) + 1;
        run.settings = {{"A", kA[i]}, {"B", kB[i]}};
        run.results["y"] = kY[i];
        run.spread["y"] = kSpread[i];
        run.status = study::RunStatus::Done;
        study.runs.push_back(run);
    }
    return study;
}

Fit weightedFit()
{
    return fitStudy(weightedStudy()).front();
}

} // namespace

TEST(Weights, varianceBetweenRunsIsThatOfRestrictedMaximumLikelihood)
{
    const Fit fit = weightedFit();
    ASSERT_TRUE(fit.weighting.has_value()) << fit.weightsProblem;
    EXPECT_NEAR(fit.weighting->betweenRuns, 0.5317691520, 1e-6);
    EXPECT_NEAR(fit.weighting->withinRuns, 0.5409375, 1e-12);
    EXPECT_NEAR(fit.weighting->newRun, 1.112356359859, 1e-7);
}

TEST(Weights, tablesAreThoseOfWeightedLeastSquares)
{
    const Fit fit = weightedFit();
    ASSERT_EQ(fit.coefficients.size(), 5u);
    const std::array estimates{49.761244829413, 1.856329970513, -1.465927165831, 1.040882341802,
                               0.375853952302};
    const std::array errors{0.586385090969, 0.313894857801, 0.305096142528, 0.314887836919, 0.679582572301};
    for (std::size_t j = 0; j < estimates.size(); ++j) {
        EXPECT_NEAR(fit.coefficients[j].estimate, estimates[j], 1e-6) << j;
        EXPECT_NEAR(*fit.coefficients[j].se, errors[j], 1e-6) << j;
    }
    EXPECT_NEAR(fit.sigma, 1.062611699245, 1e-6);
    EXPECT_NEAR(*fit.r2, 0.822481243222, 1e-7);
    EXPECT_NEAR(*fit.r2Adjusted, 0.757928968031, 1e-7);
    EXPECT_NEAR(*fit.press, 26.229463701579, 1e-5);
    EXPECT_NEAR(*fit.aicc, 62.687623044557, 1e-6);
    EXPECT_NEAR(rowOf(fit, "Linear")->ss, 19.2114724400 + 24.0500151065, 1e-5);
    EXPECT_NEAR(rowOf(fit, "Interactions")->p.value(), 0.00485219, 1e-7);
}

TEST(Weights, diagnosticsAreThoseOfWeightedLeastSquares)
{
    const Fit fit = weightedFit();
    const Diagnostic& d = fit.diagnostics.at(12);
    EXPECT_EQ(d.observed, 43.4);
    EXPECT_NEAR(d.residual, d.observed - d.fitted, 1e-12);
    EXPECT_NEAR(*d.internallyStudentized, -1.89588418025, 1e-6);
    EXPECT_NEAR(d.leverage, 0.3208671919, 1e-7);
    EXPECT_NEAR(*d.cooksDistance, 0.3396442005713, 1e-6);
}

TEST(Weights, predictionIsThatOfWeightedLeastSquares)
{
    const Prediction at = predict(weightedFit(), study::CodedPoint(Eigen::Vector2d(0.5, -0.5)));
    EXPECT_NEAR(at.mean, 51.2561163002, 1e-6);
    EXPECT_NEAR(*at.se, 0.529780249028, 1e-6);
    EXPECT_NEAR(at.confidence->low, 50.090077834, 1e-6);
    EXPECT_NEAR(at.confidence->high, 52.4221547664, 1e-6);
}

TEST(Weights, settingOfALightRunIsNoExtrapolation)
{
    const Fit fit = weightedFit();
    for (const study::CodedPoint& point : fit.data->observations.points)
        EXPECT_FALSE(predict(fit, point).isExtrapolation) << point.x.transpose();
}

TEST(Weights, equalSpreadsAreEqualWeights)
{
    study::Study study = weightedStudy();
    for (study::Run& run : study.runs)
        run.spread["y"] = 0.3;
    const Fit equal = fitResponse(study, "y", {.model = study.model["y"], .weights = study::Weights::Equal});
    const Fit weighted = fitStudy(study).front();
    ASSERT_TRUE(weighted.weighting.has_value());
    EXPECT_FALSE(equal.weighting.has_value());
    EXPECT_NEAR(weighted.sigma, equal.sigma, 1e-12);
    EXPECT_NEAR(*weighted.aicc, *equal.aicc, 1e-10);
    EXPECT_NEAR(weighted.coefficients[2].estimate, equal.coefficients[2].estimate, 1e-12);
}

TEST(Weights, halfWidthsAreDividedByTheirQuantile)
{
    study::Study study = weightedStudy();
    for (study::Run& run : study.runs) {
        run.spread["y"] *= 1.959963984540054;
        run.provenance.spreadIs = "half width of the 95 % interval";
    }
    EXPECT_NEAR(fitStudy(study).front().weighting->withinRuns, 0.5409375, 1e-9);
}

TEST(Weights, spreadGoesThroughTheTransformByItsSlope)
{
    study::Study study = weightedStudy();
    study.responses[0].transform = {study::TransformKind::Log, 1.0};
    double mean = 0.0;
    for (std::size_t i = 0; i < kY.size(); ++i)
        mean += std::pow(kSpread[i] / kY[i], 2) / static_cast<double>(kY.size());
    EXPECT_NEAR(fitStudy(study).front().weighting->withinRuns, mean, 1e-12);
}

TEST(Weights, runWithoutSpreadIsNamed)
{
    study::Study study = weightedStudy();
    study.runs[6].spread.clear();
    const Fit fit = fitStudy(study).front();
    EXPECT_TRUE(fit.isOk());
    EXPECT_FALSE(fit.weighting.has_value());
    EXPECT_NE(fit.weightsProblem.find("run 7"), std::string::npos) << fit.weightsProblem;
}

TEST(Weights, chosenTermsAreFittedWithTheirWeights)
{
    study::Study study = weightedStudy();
    study.model["y"] = "auto";
    const Fit fit = fitStudy(study).front();
    ASSERT_TRUE(fit.weighting.has_value());
    const Fit same = fitResponse(study, "y", {.model = fit.model});
    EXPECT_NEAR(fit.sigma, same.sigma, 1e-12);
    EXPECT_NEAR(fit.weighting->betweenRuns, same.weighting->betweenRuns, 1e-12);
}

} // namespace quadric::model::test
