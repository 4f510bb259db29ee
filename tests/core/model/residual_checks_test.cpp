// SPDX-License-Identifier: GPL-3.0-or-later
// Shapiro–Wilk, Durbin–Watson, drift and DFFITS against R 4.2 (tests/references/models/residual_checks.R).
#include "core/model/base/distributions.h"
#include "core/model/base/least_squares.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/predict/predict.h"
#include "core/model/select/cross_validation.h"
#include "core/model/select/fit_checks.h"
#include "oracle_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace quadric::model::test {
namespace {

void expectWithin(double actual, double expected, double tolerance, const std::string& what)
{
    EXPECT_NEAR(actual, expected, tolerance * std::max(std::abs(expected), 1e-9)) << what;
}

study::Study studyOfRegression(const nlohmann::json& source)
{
    study::Study study = plainStudy({"a", "b"});
    for (std::size_t i = 0; i < source["y"].size(); ++i) {
        study::Run& run =
            addRun(study, {source["a"][i].get<double>(), source["b"][i].get<double>()}, source["y"][i]);
        run.order = source["order"][i];
    }
    return study;
}

} // namespace

TEST(ShapiroWilkTest, agreesWithR)
{
    const nlohmann::json reference = readModelReference("residual_checks");
    for (const nlohmann::json& sample : reference["shapiro"]) {
        const std::vector<double> values = sample["values"];
        const std::optional<ShapiroWilk> test =
            shapiroWilk(Eigen::Map<const Eigen::VectorXd>(values.data(), std::ssize(values)));
        ASSERT_TRUE(test.has_value());
        const std::string what = std::to_string(values.size()) + " values";
        expectWithin(test->w, sample["w"], 1e-10, what + " W");
        expectWithin(test->p, sample["p"], 1e-7, what + " p");
    }
}

TEST(ShapiroWilkTest, needsThreeValuesThatDiffer)
{
    EXPECT_FALSE(shapiroWilk(Eigen::Vector2d(1, 2)).has_value());
    EXPECT_FALSE(shapiroWilk(Eigen::VectorXd::Constant(10, 3.5)).has_value());
    EXPECT_FALSE(shapiroWilk(Eigen::VectorXd::LinSpaced(5001, 0, 1)).has_value());
}

TEST(ResidualChecksTest, agreeWithR)
{
    const nlohmann::json reference = readModelReference("residual_checks");
    for (const nlohmann::json& source : reference["regressions"]) {
        const std::string name = source["name"];
        const Fit fit = fitResponse(studyOfRegression(source), "y");
        ASSERT_TRUE(fit.isOk()) << fit.message;
        const ResidualChecks& checks = fit.residualChecks;
        expectWithin(checks.durbinWatson.value(), source["durbin_watson"], 1e-9, name + " d");
        expectWithin(checks.durbinWatsonP.value(), source["durbin_watson_p"], 1e-8, name + " d p");
        expectWithin(checkSpread(fit).value().p, source["spread_p"], 1e-7, name + " spread p");
        expectWithin(checks.driftSlope.value(), source["drift_slope"], 1e-8, name + " slope");
        expectWithin(checks.driftT.value(), source["drift_t"], 1e-8, name + " t");
        expectWithin(checks.driftP.value(), source["drift_p"], 1e-7, name + " p");
        expectWithin(checks.shapiroWilk.value(), source["shapiro_w"], 1e-9, name + " W");
        expectWithin(checks.normalityP.value(), source["shapiro_p"], 1e-7, name + " W p");
        for (std::size_t i = 0; i < fit.diagnostics.size(); ++i)
            expectWithin(fit.diagnostics[i].dffits.value(), source["dffits"][i], 1e-8, name + " dffits");
    }
}

// A run's internally studentized residual is at a limit where the externally studentized one is at the
// quantile of t that the limit stands for: checked with those of R.
TEST(ResidualChecksTest, outlierLimitsAreThoseOfTheExternallyStudentizedResiduals)
{
    const nlohmann::json reference = readModelReference("residual_checks");
    for (const nlohmann::json& source : reference["regressions"]) {
        const Fit fit = fitResponse(studyOfRegression(source), "y");
        const OutlierTest test = testOutliers(fit).value();
        const double df = fit.dfResidual - 1;
        const double ofOne = tLimit(0.05, df), ofAll = tLimit(0.05 / fit.n, df);
        EXPECT_LT(test.ofOneRun, test.ofAllRuns);
        for (const Diagnostic& row : fit.diagnostics) {
            const double internal = std::abs(row.internallyStudentized.value());
            const double external = std::abs(row.externallyStudentized.value());
            EXPECT_EQ(internal > test.ofOneRun, external > ofOne) << row.run;
            EXPECT_EQ(internal > test.ofAllRuns, external > ofAll) << row.run;
            EXPECT_EQ(std::ranges::count(test.outliers, row.run) > 0, external > ofAll) << row.run;
        }
    }
}

TEST(ResidualChecksTest, outlierLimitsAgreeWithAClosedForm)
{
    // t with one degree of freedom is Cauchy's: t(0.975; 1) = tan(0.475 π) = 12.706; with ν = 2
    // r = t √(2/(1 + t²)) ≤ √2.
    study::Study study = plainStudy({"a"});
    for (const auto& [x, y] :
         {std::pair(-1.0, 1.0), std::pair(0.0, 2.5), std::pair(0.0, 2.0), std::pair(1.0, 3.0)})
        addRun(study, {x}, y);
    const OutlierTest test = testOutliers(fitResponse(study, "y", {.model = "linear"})).value();
    const double one = std::tan(0.475 * std::numbers::pi);
    const double all = std::tan((0.5 - 0.025 / 4) * std::numbers::pi);
    EXPECT_NEAR(test.ofOneRun, one * std::sqrt(2.0 / (1.0 + one * one)), 1e-9);
    EXPECT_NEAR(test.ofAllRuns, all * std::sqrt(2.0 / (1.0 + all * all)), 1e-9);
    EXPECT_TRUE(test.outliers.empty());
}

TEST(ResidualChecksTest, driftIsFoundAndWarnedOf)
{
    const nlohmann::json regressions = readModelReference("residual_checks")["regressions"];
    const auto fit = [&](std::size_t i, const std::string& model) {
        return fitResponse(studyOfRegression(regressions[i]), "y", {.model = model});
    };
    EXPECT_FALSE(hasWarning(fit(0, "linear"), "drift"));
    EXPECT_TRUE(hasWarning(fit(1, "linear"), "drift"));
    EXPECT_LT(fit(1, "quadratic").residualChecks.driftP.value(), 0.001);
    EXPECT_FALSE(hasWarning(fit(1, "quadratic"), "drift")) << "six degrees of freedom are too few";
}

TEST(ResidualChecksTest, anOrderThatTheTermsExplainIsNoDrift)
{
    study::Study study = plainStudy({"A"});
    for (int i = 0; i < 6; ++i)
        addRun(study, {-1.0 + 0.4 * i}, std::sin(9.0 * i));
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    EXPECT_FALSE(fit.residualChecks.driftSlope.has_value());
    EXPECT_TRUE(fit.residualChecks.durbinWatson.has_value());
}

TEST(ResidualChecksTest, areEmptyWithoutResiduals)
{
    study::Study study = plainStudy({"A"});
    for (const double a : {-1.0, 0.0, 1.0})
        addRun(study, {a}, 2 + a);
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    EXPECT_FALSE(fit.residualChecks.durbinWatson || fit.residualChecks.driftSlope ||
                 fit.residualChecks.shapiroWilk);
}

namespace {

/// The prediction of each run by a model fitted to the other folds: brute force.
std::vector<double> refitted(const study::Study& study, const Fit& fit, const CrossValidation& validation,
                             const std::string& model)
{
    const study::Coding coding(study.factors);
    std::vector<double> predicted;
    for (std::size_t i = 0; i < validation.runs.size(); ++i) {
        study::Study rest = study;
        for (std::size_t j = 0; j < validation.runs.size(); ++j) {
            if (validation.foldOf[j] == validation.foldOf[i])
                study::findRun(rest, validation.runs[j])->status = study::RunStatus::Excluded;
        }
        const Fit other = fitResponse(rest, fit.response, {.model = model, .transform = fit.transform});
        predicted.push_back(
            predictMean(other, coding.toCoded(study::findRun(study, validation.runs[i])->settings)));
    }
    return predicted;
}

} // namespace

TEST(CrossValidationTest, isWhatFittingAnewGives)
{
    for (const int folds : {0, 4, 7}) {
        for (const std::string transform : {"none", "log"}) {
            const study::Study study = studyOf(readOracle("05_tire_tread_derringer_suich"));
            const Fit fit = fitResponse(study, "abrasion",
                                        {.model = "linear", .transform = study::transformFrom(transform)});
            const CrossValidation validation = crossValidate(fit, folds, 3);
            ASSERT_TRUE(validation.error.has_value()) << validation.message;
            const std::vector<double> expected = refitted(study, fit, validation, "linear");
            double squares = 0.0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                EXPECT_NEAR(validation.predicted[i], expected[i], 1e-8 * std::abs(expected[i]));
                squares += std::pow(study.runs[i].results.at("abrasion") - expected[i], 2);
            }
            EXPECT_NEAR(*validation.error, std::sqrt(squares / static_cast<double>(expected.size())), 1e-7);
        }
    }
}

TEST(CrossValidationTest, onePerSettingIsPressWithoutReplicates)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, -0.5, 0, 1}))
        addRun(study, point, std::exp(std::get<double>(point[0])) + std::sin(3 * std::get<double>(point[1])));
    const Fit fit = fitResponse(study, "y");
    const CrossValidation validation = crossValidate(fit, 0);
    EXPECT_NEAR(validation.r2.value(), fit.r2Predicted.value(), 1e-12);
    EXPECT_NEAR(validation.s.value() * validation.s.value() * 16, fit.press.value(), 1e-10);
}

TEST(CrossValidationTest, replicatesStayTogetherAndFoldsAreEven)
{
    const study::Study study = studyOf(readOracle("06_paper_2p5_full_3rep"));
    const Fit fit = fitResponse(study, "duration", {.model = "interactions"});
    const CrossValidation validation = crossValidate(fit, 5, 9);
    std::map<std::string, std::set<int>> folds;
    std::map<int, int> sizes;
    for (std::size_t i = 0; i < validation.runs.size(); ++i) {
        std::string setting;
        for (const auto& [name, value] : study::findRun(study, validation.runs[i])->settings)
            setting += study::toText(value) + " ";
        folds[setting].insert(validation.foldOf[i]);
        ++sizes[validation.foldOf[i]];
    }
    for (const auto& [setting, used] : folds)
        EXPECT_EQ(used.size(), 1U) << setting;
    for (const auto& [fold, size] : sizes)
        EXPECT_NEAR(size, 96 / 5.0, 3.0);
}

TEST(CrossValidationTest, theSeedDecidesTheFolds)
{
    const study::Study study = studyOf(readOracle("06_paper_2p5_full_3rep"));
    const Fit fit = fitResponse(study, "duration", {.model = "linear"});
    EXPECT_EQ(crossValidate(fit, 5, 1).foldOf, crossValidate(fit, 5, 1).foldOf);
    EXPECT_NE(crossValidate(fit, 5, 1).foldOf, crossValidate(fit, 5, 2).foldOf);
}

TEST(CrossValidationTest, saysWhyThereIsNone)
{
    const study::Study study = studyOf(readOracle("04_trebuchet_bbd3"));
    const Fit fit = fitResponse(study, "y");
    EXPECT_NE(crossValidate(fit, 50).message.find("(13)"), std::string::npos);
    EXPECT_FALSE(crossValidate(fit, 1).error.has_value());
    // Without the center runs a Box–Behnken design cannot estimate its squares.
    const CrossValidation bySetting = crossValidate(fit, 0);
    EXPECT_FALSE(bySetting.error.has_value());
    EXPECT_NE(bySetting.message.find("cannot be estimated"), std::string::npos);
    EXPECT_FALSE(crossValidate(fitResponse(study, "nothing"), 5).message.empty());
}

TEST(CrossValidationTest, repeatsSpreadAsTheirSeedsDo)
{
    const study::Study study = studyOf(readOracle("05_tire_tread_derringer_suich"));
    const Fit fit = fitResponse(study, "abrasion", {.model = "linear"});
    const RepeatedValidation repeated = repeatValidation(fit, 5, 3);
    double sum = 0.0, low = 1.0, high = -1e9;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const CrossValidation single = crossValidate(fit, 5, seed);
        sum += single.error.value();
        low = std::min(low, single.r2.value());
        high = std::max(high, single.r2.value());
    }
    EXPECT_EQ(repeated.repeats, 3);
    EXPECT_NEAR(repeated.error, sum / 3.0, 1e-12 * sum);
    EXPECT_EQ(repeated.r2Low, low);
    EXPECT_EQ(repeated.r2High, high);
    EXPECT_LT(low, high);
    EXPECT_GT(repeated.errorSd, 0.0);
}

TEST(CrossValidationTest, tooManyFoldsSayWhatIsMissing)
{
    const study::Study study = studyOf(readOracle("05_tire_tread_derringer_suich"));
    const RepeatedValidation repeated = repeatValidation(fitResponse(study, "abrasion"), 1000);
    EXPECT_FALSE(repeated.isOk());
    EXPECT_NE(repeated.message.find("1000"), std::string::npos);
}
} // namespace quadric::model::test

namespace quadric::model {

/// R: qf(0.95, 2, 10), qf(0.99, 5, 3), qt(0.975, 7).
TEST(Distributions, quantilesAreThoseOfR)
{
    EXPECT_NEAR(fLimit(0.05, 2, 10), 4.10282101513, 1e-9);
    EXPECT_NEAR(fLimit(0.01, 5, 3), 28.23708083776, 1e-9);
    EXPECT_NEAR(tLimit(0.05, 7), 2.3646242516, 1e-9);
    EXPECT_NEAR(fProbability(fLimit(0.05, 3, 8), 3, 8), 0.05, 1e-12);
}

/// n log v + s/v, twice the negative log likelihood of n normal numbers, is smallest at v = s/n.
TEST(VarianceSearch, findsTheLikeliestVariance)
{
    const auto deviance = [](double v) { return v > 0.0 ? 8.0 * std::log(v) + 20.0 / v : INFINITY; };
    EXPECT_NEAR(findVariance(deviance, 1.0, -6, 6), 2.5, 1e-6);
    EXPECT_NEAR(findVariance(deviance, 1e4, -6, 6), 2.5, 1e-6);
    EXPECT_DOUBLE_EQ(findVariance([](double v) { return 1.0 + v; }, 1.0, -6, 6), 0.0);
}

/// Kolmogorov's distance to the normal distribution, and the second moment of χ²/df.
TEST(NormalDraws, areNormalAndIndependent)
{
    constexpr Eigen::Index kCount = 20'000;
    Eigen::VectorXd drawn = NormalDraws(7).vector(kCount);
    const double serial = drawn.head(kCount - 1).dot(drawn.tail(kCount - 1)) / kCount;
    EXPECT_LT(std::abs(serial), 4.0 / std::sqrt(kCount));
    std::ranges::sort(drawn);
    double distance = 0.0;
    for (Eigen::Index i = 0; i < kCount; ++i)
        distance =
            std::max(distance, std::abs(normalBelow(drawn[i]) - (static_cast<double>(i) + 0.5) / kCount));
    EXPECT_LT(distance, 1.95 / std::sqrt(kCount)); // exceeded once in 1000 seeds
}

TEST(NormalDraws, estimateTheirErrorAsOftenAsStudentSays)
{
    NormalDraws draws(3);
    int outside = 0;
    for (int i = 0; i < 20'000; ++i)
        outside += std::abs(draws.next() * draws.errorOverEstimate(4)) > 2.776445 ? 1 : 0; // t(0.975; 4)
    EXPECT_NEAR(outside / 20'000.0, 0.05, 4.0 * std::sqrt(0.05 * 0.95 / 20'000.0));
}

TEST(NormalDraws, rootGivesTheCovarianceBack)
{
    const Eigen::Matrix3d covariance{{4.0, 2.0, 0.6}, {2.0, 3.0, 0.4}, {0.6, 0.4, 1.0}};
    const Eigen::MatrixXd root = rootOfCovariance(covariance);
    EXPECT_TRUE((root * root.transpose()).isApprox(covariance, 1e-12));
}

} // namespace quadric::model

namespace quadric::model::test {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(HistogramTest, BinsAreCountedAtRoundEdges)
{
    // Eight values: 1 + log2(8) = 4 bins over 3.4, so bins of 1.
    const Histogram h = histogram({0.2, 0.9, 1.0, 1.5, 2.2, 2.9, 3.0, 3.6});
    EXPECT_THAT(h.edges, Pointwise(DoubleNear(1e-12), {0.0, 1.0, 2.0, 3.0, 4.0}));
    EXPECT_THAT(h.counts, ElementsAre(2, 2, 2, 2));
}

TEST(HistogramTest, TheLastEdgeBelongsToTheLastBin)
{
    const Histogram h = histogram({-1.0, 0.0, 1.0, 2.0});
    EXPECT_DOUBLE_EQ(h.edges.front(), -1.0);
    EXPECT_DOUBLE_EQ(h.edges.back(), 2.0);
    EXPECT_THAT(h.counts, ElementsAre(1, 1, 2));
}

TEST(HistogramTest, EqualAndMissingValues)
{
    EXPECT_TRUE(histogram({}).counts.empty());
    EXPECT_TRUE(histogram({std::nan("")}).counts.empty());
    EXPECT_THAT(histogram({7.0, 7.0, std::nan("")}).counts, ElementsAre(2));
    EXPECT_THAT(histogram({0.0}).counts, ElementsAre(1));
}

} // namespace quadric::model::test
