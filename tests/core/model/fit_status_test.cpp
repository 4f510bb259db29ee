// SPDX-License-Identifier: GPL-3.0-or-later
// Data that cannot support a model: a status and a sentence, never NaN.
#include "core/model/predict/predict.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace quadric::model::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void expectFiniteTables(const Fit& fit)
{
    for (const std::optional<double>& value :
         {fit.r2, fit.r2Adjusted, fit.r2Predicted, fit.press, fit.adequatePrecision, fit.aicc,
          fit.effectLimit.bonferroni, fit.effectLimit.sme, fit.effectLimit.pse, std::optional(fit.sigma),
          std::optional(fit.effectLimit.value)})
        expectFinite(value, "figure");
    for (const Coefficient& row : fit.coefficients) {
        for (const std::optional<double>& value :
             {std::optional(row.estimate), row.se, row.t, row.p, row.low, row.high, row.vif})
            expectFinite(value, row.term);
    }
    for (const std::vector<AnovaRow>& rows : {fit.anova, fit.termRows}) {
        for (const AnovaRow& row : rows) {
            for (const std::optional<double>& value :
                 {std::optional(row.ss), row.ms, row.f, row.p, row.contribution})
                expectFinite(value, row.source);
        }
    }
    for (const Importance& row : fit.importance) {
        expectFinite(row.main, row.factor);
        expectFinite(row.total, row.factor);
    }
    for (const Diagnostic& d : fit.diagnostics) {
        for (const std::optional<double>& value :
             {std::optional(d.fitted), std::optional(d.leverage), d.cooksDistance, d.internallyStudentized,
              d.externallyStudentized})
            expectFinite(value, "run " + std::to_string(d.run));
    }
}

void expectFinitePrediction(const Fit& fit)
{
    const study::Coding coding(fit.factors);
    const Prediction prediction = predict(fit, coding.center());
    expectFinite(prediction.mean, "mean");
    expectFinite(prediction.se, "se");
    if (prediction.prediction)
        expectFinite(prediction.prediction->high, "prediction");
}

/// `points` of a 3 × 3 grid, the response given by index.
template <typename Truth> study::Study partialGrid(std::size_t points, Truth truth)
{
    study::Study study = plainStudy({"A", "B"});
    const std::vector<std::vector<study::Value>> grid = gridOf(2, {-1, 0, 1});
    for (std::size_t i = 0; i < points; ++i)
        addRun(study, grid[i % grid.size()], truth(i));
    return study;
}

} // namespace

TEST(FitStatus, noRuns)
{
    const Fit fit = fitResponse(plainStudy({"A", "B"}), "y");
    EXPECT_EQ(fit.status, FitStatus::NoData);
    EXPECT_EQ(fit.message, "No run has a result of y yet.");
    study::Study failed = plainStudy({"A"});
    addRun(failed, {0.0}, 1.0).status = study::RunStatus::Failed;
    EXPECT_EQ(fitResponse(failed, "y").message, "No run has a result of y yet, 1 run failed.");
}

TEST(FitStatus, anyNumberOfRunsGivesFiniteNumbersOrAMessage)
{
    for (const std::string model : {"mean", "linear", "interactions", "quadratic", "auto", "A^3*B"}) {
        for (std::size_t n = 1; n <= 20; ++n) {
            const Fit fit = fitResponse(
                partialGrid(n, [](std::size_t i) { return std::sin(3.0 * static_cast<double>(i)); }), "y",
                {.model = model});
            SCOPED_TRACE(model + " with " + std::to_string(n) + " runs: " + fit.message);
            EXPECT_NE(fit.isOk(), fit.status == FitStatus::TooFewRuns);
            expectFiniteTables(fit);
            expectFinitePrediction(fit);
        }
    }
}

TEST(FitStatus, tooFewRunsSaysHowManyAreMissing)
{
    const Fit fit =
        fitResponse(partialGrid(4, [](std::size_t i) { return static_cast<double>(i * i); }), "y");
    EXPECT_EQ(fit.status, FitStatus::TooFewRuns);
    EXPECT_THAT(fit.message,
                HasSubstr("has 6 coefficients, but only 4 runs have a result: at least 2 more runs"));
}

/// Runs that failed leave too few for the model of the study: a smaller one, and why, in place of none.
TEST(FitStatus, modelThatTheRunsCannotEstimateIsReplaced)
{
    study::Study study = partialGrid(5, [](std::size_t i) { return 3.0 + static_cast<double>(i * i); });
    study.model["y"] = "A^2*B^2";
    const Fit fit = fitStudy(study).front();
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_THAT(fit.choice, HasSubstr("The runs are too few for the model 'A^2*B^2'."));
    EXPECT_LT(fit.parameters, 5);
}

TEST(FitStatus, saturatedModelHasNoErrorAndNoIntervals)
{
    const Fit fit =
        fitResponse(partialGrid(9, [](std::size_t i) { return std::cos(2.0 * static_cast<double>(i)); }), "y",
                    {.model = "A^2*B^2"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_EQ(fit.dfResidual, 0);
    EXPECT_FALSE(fit.r2Predicted.has_value());
    EXPECT_FALSE(fit.press.has_value());
    EXPECT_FALSE(predict(fit, study::CodedPoint(Eigen::Vector2d::Zero())).confidence.has_value());
    EXPECT_TRUE(hasWarning(fit, "few-residual-df"));
    expectFiniteTables(fit);
}

TEST(FitStatus, constantResponse)
{
    for (const double value : {0.0, 7.25, -1e12}) {
        const Fit fit = fitResponse(partialGrid(9, [&](std::size_t) { return value; }), "y");
        ASSERT_TRUE(fit.isOk()) << fit.message;
        EXPECT_FALSE(fit.r2.has_value());
        EXPECT_TRUE(hasWarning(fit, "constant-response"));
        EXPECT_NEAR(predictMean(fit, study::CodedPoint(Eigen::Vector2d(0.3, 0.4))), value,
                    1e-12 * std::abs(value));
        expectFiniteTables(fit);
    }
}

TEST(FitStatus, tenDecadesOfResponse)
{
    const Fit fit = fitResponse(
        partialGrid(18, [](std::size_t i) { return std::pow(10.0, static_cast<double>(i % 11) - 5); }), "y");
    ASSERT_TRUE(fit.isOk()) << fit.message;
    expectFiniteTables(fit);
}

TEST(FitStatus, aliasedTermsAreLeftOutAndNamed)
{
    study::Study study = plainStudy({"A", "B", "C", "D", "E"}); // 2^(5−2), D = AB, E = AC
    for (const std::vector<study::Value>& point : gridOf(3, {-1, 1})) {
        const double a = std::get<double>(point[0]), b = std::get<double>(point[1]),
                     c = std::get<double>(point[2]);
        addRun(study, {a, b, c, a * b, a * c}, 5 + 2 * a - b + 0.3 * c + b * c + 0.05 * a * b * c);
    }
    const Fit fit = fitResponse(study, "y", {.model = "interactions"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_THAT(fit.aliased, ElementsAre("A*B", "A*C", "A*D", "A*E", "B*D", "C*D", "C*E", "D*E"));
    EXPECT_TRUE(hasWarning(fit, "aliased-terms"));
    EXPECT_EQ(fit.parameters, 8);
}

TEST(FitStatus, unknownNamesAreBadModels)
{
    const study::Study study = partialGrid(9, [](std::size_t i) { return static_cast<double>(i); });
    EXPECT_EQ(fitResponse(study, "speed").status, FitStatus::BadModel);
    EXPECT_EQ(fitResponse(study, "y", {.model = "A + C"}).status, FitStatus::BadModel);
    EXPECT_EQ(fitResponse(study, "y", {.confidence = 1.0}).status, FitStatus::BadModel);
}

TEST(FitStatus, resultsWhoseSquaresOverflowNameTheResponse)
{
    for (const double large :
         {1e160, 1e200, 1e300}) { // their squares, and the squares of rounding errors, overflow
        const study::Study study =
            partialGrid(9, [large](std::size_t i) { return i % 2 == 0 ? large : -large; });
        const Fit fit = fitResponse(study, "y");
        EXPECT_EQ(fit.status, FitStatus::BadModel) << large;
        EXPECT_THAT(fit.message, HasSubstr("The values of y are too large")) << large;
    }
}

TEST(FitStatus, badSettingNamesTheRun)
{
    study::Study study = partialGrid(9, [](std::size_t i) { return static_cast<double>(i); });
    study.runs[4].settings.erase("B");
    const Fit fit = fitResponse(study, "y");
    EXPECT_EQ(fit.status, FitStatus::BadModel);
    EXPECT_THAT(fit.message, HasSubstr("run 5"));
}

TEST(FitStatus, levelWithoutRunsIsAnExtrapolation)
{
    study::Study study = plainStudy({"A", "precision"});
    study.factors[1].type = study::FactorType::Categorical;
    study.factors[1].categories = {"fp32", "bf16", "fp8"};
    for (const double a : {-1.0, 0.0, 1.0}) {
        addRun(study, {a, "fp32"}, 10 + a);
        addRun(study, {a, "fp8"}, 16 + a * a);
    }
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_THAT(fit.aliased, ElementsAre("precision[bf16]"));
    EXPECT_TRUE(predict(fit, study::CodedPoint(Eigen::Vector2d(0, 1))).isExtrapolation);
    EXPECT_FALSE(predict(fit, study::CodedPoint(Eigen::Vector2d(0, 2))).isExtrapolation);
}

TEST(AutoModel, findsTheOrderOfTheTruth)
{
    const auto chosenFor = [](auto truth) {
        std::mt19937 noise(7);
        const std::vector<std::vector<study::Value>> grid = gridOf(2, {-1, 0, 1});
        const study::Study study = partialGrid(27, [&](std::size_t i) {
            const double a = std::get<double>(grid[i % 9][0]);
            const double b = std::get<double>(grid[i % 9][1]);
            return truth(a, b) + 1e-10 * static_cast<double>(noise());
        });
        return fitResponse(study, "y", {.model = "auto"}).model;
    };
    EXPECT_EQ(chosenFor([](double, double) { return 3.0; }), "mean");
    EXPECT_EQ(chosenFor([](double a, double b) { return 3 + a - b; }), "linear");
    EXPECT_EQ(chosenFor([](double a, double b) { return 3 + a - b + a * b; }), "interactions");
    EXPECT_EQ(chosenFor([](double a, double b) { return 3 + a - b + a * a; }), "A + B + A^2");
}

} // namespace quadric::model::test
