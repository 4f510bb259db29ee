// SPDX-License-Identifier: GPL-3.0-or-later
// The data of example (a) come from a known formula (tests/references/resnet50-15-runs.json), so that a model
// can be held against the truth over the whole cube.
#include "core/model/predict/predict.h"
#include "core/model/select/recommendation.h"
#include "core/model/select/recommended_models.h"
#include "core/study/document/document.h"
#include "oracle_study.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <random>

namespace quadric::model::test {

namespace {

study::Study exampleA()
{
    return study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
}

double imagesPerSecond(double gpus, double batch, double compression)
{
    const double perGpu = 320 * std::pow(batch / 128, 0.6);
    const double overhead = 0.003 * (gpus - 1) * (1 - 0.6 * compression / 100);
    return std::max(perGpu * gpus / (1 + overhead), 500.0);
}

struct CubeError {
    double absolute = 0.0; ///< root mean square, img/s
    double relative = 0.0; ///< root mean square of the error over the truth
};

/// Over a grid of 15³ points of the whole region.
CubeError errorOverTheCube(const Fit& fit)
{
    constexpr int kPoints = 15;
    const study::Coding coding(fit.factors);
    CubeError error;
    for (int i = 0; i < kPoints * kPoints * kPoints; ++i) {
        const double gpus = 8 + 56.0 * (i % kPoints) / (kPoints - 1);
        const double batch = 32 + 224.0 * (i / kPoints % kPoints) / (kPoints - 1);
        const double compression = 90.0 * (i / kPoints / kPoints) / (kPoints - 1);
        const double truth = imagesPerSecond(gpus, batch, compression);
        const double predicted = predictMean(
            fit, coding.toCoded(
                     {{"gpu_count", gpus}, {"batch_per_gpu", batch}, {"gradient_compression", compression}}));
        error.absolute += std::pow(predicted - truth, 2);
        error.relative += std::pow((predicted - truth) / truth, 2);
    }
    const double count = std::pow(kPoints, 3);
    return {std::sqrt(error.absolute / count), std::sqrt(error.relative / count)};
}

} // namespace

TEST(RecommendationTest, theReferenceHasTheFormulaOfTheTest)
{
    std::ifstream file(sourcePath("tests/references/resnet50-15-runs.json"));
    const nlohmann::json reference = nlohmann::json::parse(file);
    for (const nlohmann::json& run : reference["runs"]) {
        const nlohmann::json& s = run["settings"];
        EXPECT_NEAR(run["results"]["images_per_sec"].get<double>(),
                    imagesPerSecond(s["gpu_count"], s["batch_per_gpu"], s["gradient_compression"]), 20.1);
    }
}

TEST(RecommendationTest, exampleAWantsLogAndLog2AndIsNearerToTheTruthThen)
{
    const study::Study study = exampleA();
    const Fit present = fitResponse(study, "images_per_sec");
    const Recommendation recommendation = recommendScales(present);
    ASSERT_TRUE(recommendation.isRecommended) << recommendation.message;
    EXPECT_EQ(recommendation.transform.kind, study::TransformKind::Log);
    EXPECT_THAT(recommendation.log2Factors, testing::ElementsAre("gpu_count", "batch_per_gpu"));
    EXPECT_LT(recommendation.recommendedError.value(), recommendation.presentError.value() / 5);
    EXPECT_THAT(recommendation.message,
                testing::AllOf(testing::HasSubstr("Take the logarithm of images_per_sec"),
                               testing::HasSubstr("put gpu_count and batch_per_gpu on a log2 scale")));

    const study::Study other = withScales(study, "images_per_sec", recommendation);
    const CubeError before = errorOverTheCube(present);
    const CubeError after = errorOverTheCube(fitResponse(other, "images_per_sec"));
    EXPECT_LT(after.absolute, before.absolute / 4);
    EXPECT_LT(after.relative, before.relative / 8);
    const CubeError automatic = errorOverTheCube(fitResponse(other, "images_per_sec", {.model = "auto"}));
    EXPECT_LT(automatic.absolute, before.absolute / 4);
}

TEST(RecommendationTest, isNotRepeatedOnceItIsFollowed)
{
    study::Study study = exampleA();
    study = withScales(study, "images_per_sec", recommendScales(fitResponse(study, "images_per_sec")));
    const Recommendation again = recommendScales(fitResponse(study, "images_per_sec"));
    EXPECT_FALSE(again.isRecommended) << again.message;
    EXPECT_EQ(again.transform.kind, study::TransformKind::Log);
    EXPECT_TRUE(again.isLog2[0] && again.isLog2[1]);
}

TEST(RecommendationTest, leavesAloneWhatIsStraightAlready)
{
    for (const std::string file : {"04_trebuchet_bbd3", "05_tire_tread_derringer_suich"}) {
        const study::Study study = studyOf(readOracle(file));
        for (const study::Response& response : study.responses) {
            const Recommendation recommendation = recommendScales(fitResponse(study, response.name));
            EXPECT_FALSE(recommendation.isRecommended)
                << file << " " << response.name << ": " << recommendation.message;
        }
    }
    study::Study plain = plainStudy({"A", "B"});
    for (study::Factor& factor : plain.factors) {
        factor.low = 1;
        factor.high = 9;
    }
    std::mt19937 noise(4);
    for (const std::vector<study::Value>& point : gridOf(2, {1, 5, 9}))
        addRun(plain, point,
               100 + 5 * std::get<double>(point[0]) - 3 * std::get<double>(point[1]) +
                   1e-10 * static_cast<double>(noise()));
    EXPECT_FALSE(recommendScales(fitResponse(plain, "y")).isRecommended);
}

/// Few runs, of which one lies far off: the likeliest power is extreme there.
study::Study fewRuns(unsigned seed)
{
    study::Study study = plainStudy({"A", "B"});
    std::mt19937 noise(seed);
    std::normal_distribution<double> normal;
    std::uniform_int_distribution<int> level(-1, 1);
    for (int run = 0; run < 11; ++run) {
        const double a = level(noise), b = level(noise);
        addRun(study, {a, b}, 100 + 8 * a + 5 * b + normal(noise) + (run == 5 ? 60 : 0));
    }
    return study;
}

TEST(RecommendationTest, neverTakesAScaleThatPredictsSettingsLeftOutWorse)
{
    int recommended = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        const Recommendation each = recommendScales(fitResponse(fewRuns(seed), "y"));
        recommended += each.isRecommended ? 1 : 0;
        if (each.isRecommended && each.presentError && each.recommendedError) {
            EXPECT_LE(*each.recommendedError, *each.presentError) << seed << ' ' << each.message;
        }
    }
    EXPECT_GT(recommended, 10);
}

TEST(RecommendationTest, takesBackALog2ThatIsWrong)
{
    study::Study study = plainStudy({"A", "B"});
    for (study::Factor& factor : study.factors) {
        factor.low = 1;
        factor.high = 16;
        factor.scale = study::Scale::Log2;
    }
    study.responses[0].transform = {study::TransformKind::Log, 1.0};
    std::mt19937 noise(4);
    for (const std::vector<study::Value>& point : gridOf(2, {1, 4, 8, 16}))
        addRun(study, point,
               100 + 5 * std::get<double>(point[0]) + 3 * std::get<double>(point[1]) +
                   1e-10 * static_cast<double>(noise()));
    const Recommendation recommendation = recommendScales(fitResponse(study, "y"));
    ASSERT_TRUE(recommendation.isRecommended) << recommendation.message;
    EXPECT_EQ(recommendation.transform.kind, study::TransformKind::None);
    EXPECT_THAT(recommendation.linearFactors, testing::ElementsAre("A", "B"));
}

TEST(RecommendationTest, valuesThatAreNotPositiveKeepTheirScale)
{
    study::Study study = plainStudy({"A", "B"});
    int i = 0;
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, std::get<double>(point[0]) + 0.01 * std::sin(5.0 * i++));
    const Recommendation recommendation = recommendScales(fitResponse(study, "y", {.model = "linear"}));
    EXPECT_FALSE(recommendation.isRecommended);
    for (const ScaleCandidate& candidate : recommendation.candidates) {
        EXPECT_EQ(candidate.transform.kind, study::TransformKind::None);
        EXPECT_THAT(candidate.isLog2, testing::Each(false));
    }
}

TEST(RecommendationTest, saysWhyThereIsNone)
{
    study::Study study = plainStudy({"A"});
    EXPECT_FALSE(recommendScales(fitResponse(study, "y")).message.empty());
    for (const double a : {-1.0, 0.0, 1.0})
        addRun(study, {a}, 7.0);
    EXPECT_THAT(recommendScales(fitResponse(study, "y", {.model = "linear"})).message,
                testing::HasSubstr("same in every run"));
    study.runs[0].results["y"] = 5;
    EXPECT_THAT(recommendScales(fitResponse(study, "y", {.model = "linear"})).message,
                testing::HasSubstr("too few"));
}

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
// What is recommended for all responses together, and what is done by default.

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
