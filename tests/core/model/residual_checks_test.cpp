// SPDX-License-Identifier: GPL-3.0-or-later
// Shapiro–Wilk, Durbin–Watson, drift and DFFITS against R 4.2 (tests/references/models/residual_checks.R).
#include "core/model/base/distributions.h"
#include "core/model/base/normality.h"
#include "core/model/fit/outliers.h"
#include "core/model/fit/spread_check.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

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
    EXPECT_FALSE(hasWarning(fitResponse(studyOfRegression(regressions[0]), "y"), "drift"));
    EXPECT_TRUE(hasWarning(fitResponse(studyOfRegression(regressions[1]), "y"), "drift"));
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

} // namespace quadric::model::test
