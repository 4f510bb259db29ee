// SPDX-License-Identifier: GPL-3.0-or-later
// What is recommended for all responses together, and what is done by default.
#include "core/model/select/recommended_models.h"
#include "core/study/document/document.h"
#include "oracle_study.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <cmath>

namespace quadric::model::test {

namespace {

study::Study twoResponses()
{
    return study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
}

bool isAnyRecommended(const std::vector<Recommendation>& recommendations)
{
    return std::ranges::any_of(recommendations, &Recommendation::isRecommended);
}

/// y = 100 · 2^A · 3^B with 1 % of alternating error: straight on the logarithm's scale.
study::Study products()
{
    study::Study study = plainStudy({"A", "B"});
    int sign = 1;
    for (int copy = 0; copy < 2; ++copy)
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1})) {
            const double a = std::get<double>(point[0]), b = std::get<double>(point[1]);
            addRun(study, point, 100 * std::pow(4, a) * std::pow(6, b) * (1 + 0.01 * sign));
            sign = -sign;
        }
    return study;
}

} // namespace

/// Each response by itself asks for other factor scales than the other one, so that following one of them and
/// then the other never ends.
TEST(RecommendedModelsTest, responsesThatDisagreeOnFactorScalesAreSettledTogether)
{
    study::Study study = twoResponses();
    const std::vector<Recommendation> alone{recommendScales(fitResponse(study, "images_per_sec")),
                                            recommendScales(fitResponse(study, "scaling_efficiency"))};
    ASSERT_NE(alone[0].isLog2, alone[1].isLog2);
    const std::vector<Recommendation> together = recommendTogether(fitStudy(study));
    ASSERT_EQ(together.size(), 2U);
    EXPECT_EQ(together[0].isLog2, together[1].isLog2);
    EXPECT_EQ(together[0].transform.kind, study::TransformKind::Log);
    study = withRecommendedModels(study, together);
    const std::vector<Recommendation> again = recommendTogether(fitStudy(study));
    EXPECT_FALSE(isAnyRecommended(again)) << again[0].message << " " << again[1].message;
}

TEST(RecommendedModelsTest, anOrderThatIsFollowedOneByOneEnds)
{
    study::Study study = twoResponses();
    int followed = 0;
    for (bool isFollowing = true; isFollowing && followed < 10;) {
        isFollowing = false;
        for (std::size_t i = 0; i < study.responses.size(); ++i) {
            const Recommendation each = recommendTogether(fitStudy(study))[i];
            if (!each.isRecommended)
                continue;
            study = withScales(study, study.responses[i].name, each);
            isFollowing = true;
            ++followed;
        }
    }
    EXPECT_GT(followed, 0);
    EXPECT_LT(followed, 5);
}

TEST(RecommendedModelsTest, oneResponseIsToldWhatItIsToldByItself)
{
    study::Study study = twoResponses();
    study.responses.erase(study.responses.begin() + 1);
    const std::vector<Fit> fits = fitStudy(study);
    EXPECT_EQ(recommendTogether(fits).front().message, recommendScales(fits.front()).message);
}

TEST(RecommendedModelsTest, anUntouchedResponseIsTransformedAsTheRunsRecommend)
{
    study::Study study = products();
    const Fit fit = fitByDefault(study).front();
    EXPECT_EQ(fit.transform.kind, study::TransformKind::Log);
    EXPECT_EQ(fit.model, "quadratic");
    EXPECT_THAT(fit.choice, testing::HasSubstr("Transform log by default"));
    EXPECT_NEAR(fit.coefficients[1].estimate, std::log(4.0), 0.01);
}

TEST(RecommendedModelsTest, whatWasChosenIsKept)
{
    study::Study study = products();
    study.model["y"] = "quadratic";
    EXPECT_EQ(fitByDefault(study).front().transform.kind, study::TransformKind::None);
    study.model.clear();
    study.responses.front().transform.kind = study::TransformKind::Sqrt;
    EXPECT_EQ(fitByDefault(study).front().transform.kind, study::TransformKind::Sqrt);
    study = withTransform(study, "y", {});
    EXPECT_EQ(study.model.at("y"), "quadratic");
    EXPECT_EQ(fitByDefault(study).front().transform.kind, study::TransformKind::None);
}

} // namespace quadric::model::test
