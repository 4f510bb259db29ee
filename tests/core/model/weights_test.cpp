// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: tests/references/models/weights.R (lm with weights, τ² by optimize()).
#include "core/model/fit/variance_estimates.h"
#include "core/model/predict/predict.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace quadric::model::test {
namespace {

const std::vector<double> kSettingsOfA{-1, 1, -1, 1, 0, -1, 1, -1, 1, 0, -1, 1, -1, 1, 0, 0};
const std::vector<double> kSettingsOfB{-1, -1, 1, 1, 0, -1, -1, 1, 1, 0, -1, -1, 1, 1, 0, 1};
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
        run.settings = {{"A", kSettingsOfA[i]}, {"B", kSettingsOfB[i]}};
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

// Known answers: tests/references/models/random_blocks.R.

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

TEST(RandomBlocks, termThatVariesBetweenBlocksOnlyIsNamed)
{
    study::Study study = threeBlocks();
    for (study::Run& run : study.runs)
        run.settings["B"] = run.block == 1 ? -1.0 : run.block == 2 ? 1.0 : 0.0;
    const Fit fit = fitOf(study);
    EXPECT_EQ(fit.aliased, std::vector<std::string>{"B"});
    ASSERT_TRUE(fit.blockVariance.has_value());
    EXPECT_EQ(fit.blockVariance->terms, std::vector<std::string>{"B"});
}

TEST(RandomBlocks, exactRunsHaveNoEstimate)
{
    study::Study study = threeBlocks();
    for (study::Run& run : study.runs)
        run.results["y"] = 10.0 * run.block + std::get<double>(run.settings["A"]);
    EXPECT_FALSE(fitOf(study).blockVariance.has_value());
}

} // namespace quadric::model::test
