// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/transform.h"
#include "core/model/predict/predict.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <cmath>

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

} // namespace quadric::model::test
