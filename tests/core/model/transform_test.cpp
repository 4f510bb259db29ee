// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/fit/observations.h"
#include "core/model/predict/predict.h"
#include "core/model/select/boxcox.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace quadric::model::test {

namespace {

using study::Transform;
using study::TransformKind;

const std::vector<Transform> kAll{
    {TransformKind::None, 1},      {TransformKind::Log, 1},    {TransformKind::Sqrt, 1},
    {TransformKind::Inverse, 1},   {TransformKind::BoxCox, 0}, {TransformKind::BoxCox, 0.3},
    {TransformKind::BoxCox, -1.5}, {TransformKind::BoxCox, 2}, {TransformKind::Logit, 1, -2.0, 2e4}};

} // namespace

TEST(Transform, inverseUndoesIt)
{
    for (const Transform& transform : kAll) {
        for (const double y : {1e-3, 0.7, 1.0, 42.0, 1e4}) {
            const double z = applyTransform(transform, y).value();
            EXPECT_NEAR(invertTransform(transform, z), y, 1e-6 * y) << study::nameOf(transform);
        }
    }
}

TEST(Transform, slopeIsThatOfTheInverse)
{
    for (const Transform& transform : kAll) {
        const double z = applyTransform(transform, 1.7).value();
        const double difference =
            (invertTransform(transform, z + 1e-6) - invertTransform(transform, z - 1e-6)) / 2e-6;
        EXPECT_NEAR(inverseSlope(transform, z), difference, 1e-7) << study::nameOf(transform);
    }
}

TEST(Transform, undefinedValuesAreEmpty)
{
    EXPECT_FALSE(applyTransform({TransformKind::Log, 1}, 0.0));
    EXPECT_FALSE(applyTransform({TransformKind::Log, 1}, -1.0));
    EXPECT_TRUE(applyTransform({TransformKind::Sqrt, 1}, 0.0));
    EXPECT_FALSE(applyTransform({TransformKind::Sqrt, 1}, -1e-9));
    EXPECT_FALSE(applyTransform({TransformKind::Inverse, 1}, 0.0));
    EXPECT_FALSE(applyTransform({TransformKind::BoxCox, 0.5}, 0.0));
}

TEST(Transform, badValueIsNamedWithItsRun)
{
    study::Study study = plainStudy({"A"});
    addRun(study, {-1.0}, 3.0);
    addRun(study, {0.0}, 0.0);
    addRun(study, {1.0}, 5.0);
    const Fit fit =
        fitResponse(study, "y", {.model = "linear", .transform = Transform{TransformKind::Log, 1}});
    EXPECT_EQ(fit.status, FitStatus::BadTransform);
    EXPECT_EQ(fit.message, "Run 2 has y = 0, but the transform log needs values above 0.");
}

TEST(Transform, predictionsComeBackInTheResponsesUnit)
{
    study::Study study = plainStudy({"A"});
    for (const double a : {-1.0, -0.5, 0.0, 0.5, 1.0})
        addRun(study, {a}, std::exp(2 + a) * (1 + 0.01 * std::cos(7 * a)));
    const Fit fit =
        fitResponse(study, "y", {.model = "linear", .transform = Transform{TransformKind::Log, 1}});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    const Prediction prediction = predict(fit, study::CodedPoint(Eigen::VectorXd::Constant(1, 0.3)));
    EXPECT_TRUE(prediction.isMedian);
    EXPECT_NEAR(prediction.mean, std::exp(2.3), 0.2);
    EXPECT_LT(prediction.confidence->low, prediction.mean);
    EXPECT_GT(prediction.confidence->high, prediction.mean);
    EXPECT_NEAR(prediction.confidence->low * prediction.confidence->high, prediction.mean * prediction.mean,
                1e-9);
}

TEST(Transform, poleOfTheInverseGivesFiniteNumbers)
{
    study::Study study = plainStudy({"A"});
    for (const double a : {-1.0, -0.5, 0.0, 0.5, 1.0})
        addRun(study, {a}, 1 / (1.05 + a));
    const Fit fit =
        fitResponse(study, "y", {.model = "linear", .transform = Transform{TransformKind::Inverse, 1}});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    const study::CodedPoint beyond(Eigen::VectorXd::Constant(1, -1.2));
    const Prediction prediction = predict(fit, beyond);
    EXPECT_TRUE(std::isfinite(prediction.mean));
    EXPECT_TRUE(prediction.isExtrapolation);
    EXPECT_FALSE(prediction.confidence.has_value());
    EXPECT_TRUE(predictGradient(fit, beyond).allFinite());
}

namespace {

/// Residual sum of squares of the fit on the scale of this power, made comparable by the geometric mean.
double residualSum(const study::Study& study, const Fit& fit, double power)
{
    const Fit other =
        fitResponse(study, fit.response,
                    {.model = fit.model, .transform = study::Transform{study::TransformKind::BoxCox, power}});
    double logarithms = 0.0;
    for (const Diagnostic& row : fit.diagnostics)
        logarithms += std::log(row.observed);
    return other.sigma * other.sigma * other.dfResidual * std::exp(2.0 * (1.0 - power) * logarithms / fit.n);
}

/// The F test at 5 % of a power against the most likely one rejects from there on.
void compareInterval(const study::Study& study, const Fit& fit, const BoxCox& result)
{
    const double t = tLimit(0.05, fit.dfResidual);
    const double limit = residualSum(study, fit, result.lambda) * (1 + t * t / fit.dfResidual);
    for (const auto& [end, bound] : {std::pair(result.low, -5.0), std::pair(result.high, 5.0)}) {
        if (end)
            EXPECT_NEAR(residualSum(study, fit, *end) / limit, 1.0, 1e-6);
        else
            EXPECT_LT(residualSum(study, fit, bound), limit);
    }
}

void compareProfile(const BoxCox& result, const nlohmann::json& expected)
{
    for (std::size_t i = 0; i < expected["lambda"].size(); ++i) {
        const double power = expected["lambda"][i];
        const auto at = static_cast<std::size_t>(std::lround((power + 5) * 10));
        EXPECT_NEAR(result.powers.at(at), power, 1e-12);
        EXPECT_NEAR(result.logLikelihood.at(at), expected["loglik"][i].get<double>(), 1e-7) << power;
    }
}

} // namespace

TEST(BoxCox, profilesAgreeWithR)
{
    for (const std::string file :
         {"01_chemreact_ccd_blocks", "02_chemreact1_first_order", "03_codata_3x3_replicated",
          "04_trebuchet_bbd3", "05_tire_tread_derringer_suich", "06_paper_2p5_full_3rep"}) {
        const nlohmann::json oracle = readOracle(file);
        for (const nlohmann::json& analysis : oracle["analyses"]) {
            SCOPED_TRACE(file + " " + analysis["response"].get<std::string>());
            const study::Study study = studyOf(oracle);
            const Fit fit = fitResponse(study, analysis["response"].get<std::string>(),
                                        {.model = modelOf(analysis, oracle)});
            const std::optional<BoxCox> result = boxCox(fit);
            ASSERT_TRUE(result.has_value());
            const nlohmann::json& expected = analysis["expected"]["box_cox"];
            if (!expected["at_search_bound"].get<bool>()) {
                EXPECT_NEAR(result->lambda, expected["lambda_hat"].get<double>(), 1e-4);
            }
            compareInterval(study, fit, *result);
            compareProfile(*result, expected);
        }
    }
}

// Of two values around their geometric mean, eᵃ and e⁻ᵃ, and a constant: SSE(λ) = 2 (sinh(λa)/λ)².
TEST(BoxCox, theCurveAgreesWithAClosedForm)
{
    constexpr double a = 0.7;
    study::Study study = plainStudy({"A"});
    addRun(study, {-1.0}, std::exp(a));
    addRun(study, {1.0}, std::exp(-a));
    const Fit fit = fitResponse(study, "y", {.model = "mean"});
    const auto exact = [](double power) {
        const double root = power == 0.0 ? a : std::sinh(power * a) / power;
        return -std::log(root * root);
    };
    BoxCox profile;
    profile.lambda = 0.0;
    profile.low = -0.01;
    profile.high = 0.01;
    const BoxCoxCurve curve = boxCoxCurve(fit, profile, -2.0, 2.0);
    ASSERT_EQ(curve.powers.size(), curve.logLikelihood.size());
    EXPECT_TRUE(std::ranges::is_sorted(curve.powers));
    EXPECT_EQ(curve.powers.front(), -2.0);
    EXPECT_EQ(curve.powers.back(), 2.0);
    for (const double must : {-0.01, 0.0, 0.01})
        EXPECT_TRUE(std::ranges::count(curve.powers, must) > 0) << must;
    for (std::size_t i = 0; i < curve.powers.size(); ++i)
        EXPECT_NEAR(curve.logLikelihood[i], exact(curve.powers[i]), 1e-12) << curve.powers[i];
    const auto inside = std::ranges::count_if(curve.powers, [](double p) { return std::abs(p) <= 0.01; });
    EXPECT_GE(inside, 20); // however narrow the interval is
}

TEST(BoxCox, theCurvePassesThroughTheEndsOfItsInterval)
{
    const nlohmann::json oracle = readOracle("06_paper_2p5_full_3rep");
    const nlohmann::json& analysis = oracle["analyses"][0];
    const Fit fit = fitResponse(studyOf(oracle), analysis["response"].get<std::string>(),
                                {.model = modelOf(analysis, oracle)});
    const BoxCox profile = boxCox(fit).value();
    const BoxCoxCurve curve = boxCoxCurve(fit, profile, -5.0, 5.0);
    const auto at = [&curve](double power) {
        const auto place = std::ranges::find(curve.powers, power);
        return curve.logLikelihood.at(static_cast<std::size_t>(place - curve.powers.begin()));
    };
    const double t = tLimit(0.05, fit.dfResidual);
    const double level = at(profile.lambda) - fit.n / 2.0 * std::log1p(t * t / fit.dfResidual);
    EXPECT_EQ(at(profile.lambda), std::ranges::max(curve.logLikelihood));
    for (const std::optional<double>& end : {profile.low, profile.high}) {
        if (end) {
            EXPECT_NEAR(at(*end), level, 1e-6);
        }
    }
}

TEST(BoxCox, findsThePowerThatMadeTheData)
{
    for (const auto& [transform, power] :
         {std::pair("none", 1.0), {"sqrt", 0.5}, {"log", 0.0}, {"inverse", -1.0}}) {
        study::Study study = plainStudy({"A", "B"});
        std::mt19937 noise(11);
        for (int i = 0; i < 6; ++i) {
            for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1})) {
                const double z = 5 + 2 * std::get<double>(point[0]) + std::get<double>(point[1]) +
                                 1e-11 * static_cast<double>(noise());
                addRun(study, point, invertTransform(study::transformFrom(transform).value(), z));
            }
        }
        const std::optional<BoxCox> result = boxCox(fitResponse(study, "y", {.model = "linear"}));
        ASSERT_TRUE(result.has_value());
        EXPECT_NEAR(result->lambda, power, 0.1) << transform;
    }
}

TEST(BoxCox, needsPositiveValuesAndAResidual)
{
    study::Study study = plainStudy({"A"});
    for (const double a : {-1.0, 0.0, 0.5, 1.0})
        addRun(study, {a}, a + std::sin(a));
    EXPECT_FALSE(boxCox(fitResponse(study, "y", {.model = "linear"})).has_value());
    for (study::Run& run : study.runs)
        run.results["y"] = 4.0;
    EXPECT_FALSE(boxCox(fitResponse(study, "y", {.model = "linear"})).has_value());
}

} // namespace quadric::model::test
