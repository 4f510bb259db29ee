// SPDX-License-Identifier: GPL-3.0-or-later
// The data of example (a) come from a known formula (tests/references/resnet50-15-runs.json), so that a model
// can be held against the truth over the whole cube.
#include "core/model/predict/predict.h"
#include "core/model/select/model_choice.h"
#include "core/study/document/document.h"
#include "oracle_study.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

namespace quadric::model::test {

namespace {

using study::Scale;
using study::TransformKind;

/// With nothing chosen by hand.
study::Study exampleA()
{
    study::Study study = study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    study.model.clear();
    return study;
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

/// One whole-numbered factor and one response, "y", with a run for each setting.
study::Study oneFactor(const std::string& unit, const std::vector<double>& settings,
                       const std::vector<double>& results)
{
    study::Study study = plainStudy({"x"});
    study.factors[0].type = study::FactorType::Integer;
    study.factors[0].low = *std::ranges::min_element(settings);
    study.factors[0].high = *std::ranges::max_element(settings);
    study.responses[0].unit = unit;
    for (std::size_t i = 0; i < settings.size(); ++i)
        addRun(study, {settings[i]}, results[i]);
    return study;
}

TransformKind transformChosenFor(const study::Study& study)
{
    return withChosenModels(study).responses[0].transform.kind;
}

Scale scaleChosenFor(const study::Study& study)
{
    return withChosenModels(study).factors[0].scale;
}

} // namespace

TEST(ScaleChoice, theReferenceHasTheFormulaOfTheTest)
{
    std::ifstream file(sourcePath("tests/references/resnet50-15-runs.json"));
    const nlohmann::json reference = nlohmann::json::parse(file);
    for (const nlohmann::json& run : reference["runs"]) {
        const nlohmann::json& s = run["settings"];
        EXPECT_NEAR(run["results"]["images_per_sec"].get<double>(),
                    imagesPerSecond(s["gpu_count"], s["batch_per_gpu"], s["gradient_compression"]), 20.1);
    }
}

TEST(ScaleChoice, theFirstExampleGetsLogarithmsAndIsNearerToTheTruth)
{
    const study::Study study = exampleA();
    const study::Study chosen = withChosenModels(study);
    EXPECT_EQ(chosen.responses[0].transform.kind, TransformKind::Log);
    EXPECT_EQ(chosen.responses[1].transform.kind, TransformKind::None);
    EXPECT_EQ(chosen.factors[0].scale, Scale::Log2);
    EXPECT_EQ(chosen.factors[1].scale, Scale::Log2);
    EXPECT_EQ(chosen.factors[2].scale, Scale::Linear) << "it begins at 0";
    EXPECT_EQ(chosen.model.at("images_per_sec"), "auto");
    EXPECT_EQ(chosen.runs, study.runs);
    const CubeError before = errorOverTheCube(fitResponse(study, "images_per_sec"));
    const CubeError after = errorOverTheCube(fitStudy(chosen)[0]);
    EXPECT_LT(after.absolute, before.absolute / 4);
    EXPECT_LT(after.relative, before.relative / 8);
}

/// 120 settings drawn over the cube, each of which the interval of a new run at 95 % holds.
TEST(ScaleChoice, theIntervalsOfTheFirstExampleHoldTheTruth)
{
    const study::Study chosen = withChosenModels(exampleA());
    const Fit fit = fitStudy(chosen)[0];
    const study::Coding coding(fit.factors);
    std::mt19937_64 random(1);
    const auto draw = [&random](double low, double high) {
        return low + (high - low) * static_cast<double>(random() >> 11U) * 0x1.0p-53;
    };
    for (int i = 0; i < 120; ++i) {
        const double gpus = std::round(draw(8, 64)), batch = std::round(draw(32, 256)),
                     compression = draw(0, 90);
        const Prediction at = predict(
            fit, coding.toCoded(
                     {{"gpu_count", gpus}, {"batch_per_gpu", batch}, {"gradient_compression", compression}}));
        const double truth = imagesPerSecond(gpus, batch, compression);
        ASSERT_TRUE(at.prediction);
        EXPECT_LE(at.prediction->low, truth) << gpus << ' ' << batch << ' ' << compression;
        EXPECT_GE(at.prediction->high, truth) << gpus << ' ' << batch << ' ' << compression;
    }
}

TEST(ScaleChoice, choosingAgainChangesNothing)
{
    const study::Study chosen = withChosenModels(exampleA());
    EXPECT_EQ(withChosenModels(chosen), chosen);
}

TEST(ScaleChoice, logarithmicScalesOfTheDesignMakeNoDifference)
{
    const study::Study typed = exampleA();
    study::Study preset = typed;
    preset.factors[0].scale = preset.factors[1].scale = Scale::Log2;
    EXPECT_EQ(withChosenModels(typed), withChosenModels(preset));
    preset.factors[1].scale = Scale::Linear;
    EXPECT_EQ(withChosenModels(typed), withChosenModels(preset));
}

/// Neither the line nor the logarithm is better by more than 4: what the response measures decides.
TEST(ScaleChoice, quantitiesThatMultiplyBeginWithTheLogarithm)
{
    const std::vector<double> settings{-1, 0, 1, -1, 0, 1}, results{10, 16, 27, 14, 21, 33};
    for (const char* unit : {"img/s", "ms", "GiB", "kWh"})
        EXPECT_EQ(transformChosenFor(oneFactor(unit, settings, results)), TransformKind::Log) << unit;
    for (const char* unit : {"", "points", "%"})
        EXPECT_EQ(transformChosenFor(oneFactor(unit, settings, results)), TransformKind::None) << unit;
    EXPECT_EQ(transformChosenFor(oneFactor("img/s", settings, {20, 26, 37, 24, 31, 43})), TransformKind::None)
        << "they span less than a factor of 3";
}

TEST(ScaleChoice, sumsOfAnUnknownUnitStayAsTheyAre)
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1})) {
        const double error = 0.1 * static_cast<double>(study.runs.size() * 5 % 7);
        addRun(study, point, 20 + 6 * std::get<double>(point[0]) + 4 * std::get<double>(point[1]) + error);
    }
    const study::Study chosen = withChosenModels(study);
    EXPECT_EQ(chosen.responses[0].transform.kind, TransformKind::None);
    EXPECT_EQ(chosen.factors, study.factors);
}

/// 2 GiB for the weights and 1.5 GiB an image: a line, although sizes and memories begin with logarithms.
TEST(ScaleChoice, runsThatSpeakForALineGetOne)
{
    const std::vector<double> settings{8, 16, 32, 64, 8, 16, 32, 64};
    const std::vector<double> errors{0.03, -0.05, 0.02, 0.04, -0.03, 0.01, -0.02, 0.025};
    std::vector<double> line, power;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        line.push_back(2 + 1.5 * settings[i] + errors[i]);
        power.push_back(1.5 * std::pow(settings[i], 0.7) * (1 + errors[i]));
    }
    EXPECT_EQ(transformChosenFor(oneFactor("GiB", settings, line)), TransformKind::None);
    EXPECT_EQ(scaleChosenFor(oneFactor("GiB", settings, line)), Scale::Linear);
    EXPECT_EQ(transformChosenFor(oneFactor("GiB", settings, power)), TransformKind::Log);
    EXPECT_EQ(scaleChosenFor(oneFactor("GiB", settings, power)), Scale::Log2);
}

TEST(ScaleChoice, tooFewRunsChangeNothingOfWhereItBegins)
{
    const study::Study speeds = oneFactor("img/s", {1, 4, 16}, {1000, 2000, 9000});
    EXPECT_EQ(transformChosenFor(speeds), TransformKind::Log);
    EXPECT_EQ(scaleChosenFor(speeds), Scale::Log2);
    EXPECT_EQ(transformChosenFor(oneFactor("", {1, 4, 16}, {0.1, 0.2, 0.9})), TransformKind::None);
}

TEST(ScaleChoice, settingsThatHaveNoLogarithmKeepALinearScale)
{
    const std::vector<double> results{10, 20, 40, 80};
    EXPECT_EQ(scaleChosenFor(oneFactor("img/s", {1, 4, 16, 64}, results)), Scale::Log2);
    EXPECT_EQ(scaleChosenFor(oneFactor("img/s", {0, 4, 16, 64}, results)), Scale::Linear);
    study::Study outside = oneFactor("img/s", {1, 4, 16, 64}, results);
    addRun(outside, {0.0}, 5.0);
    EXPECT_EQ(scaleChosenFor(outside), Scale::Linear);
}

TEST(ScaleChoice, aTransformOfTheResponseIsKept)
{
    study::Study study = exampleA();
    study.responses[0].transform.kind = TransformKind::Sqrt;
    const study::Study chosen = withChosenModels(study);
    EXPECT_EQ(chosen.responses[0].transform.kind, TransformKind::Sqrt);
    EXPECT_EQ(chosen.model.at("images_per_sec"), "auto");
    study = withTransform(exampleA(), "images_per_sec", {}); // "none" too
    EXPECT_EQ(transformChosenFor(study), TransformKind::None);
}

TEST(ScaleChoice, aModelChosenByHandKeepsItsScales)
{
    study::Study study = exampleA();
    study.model["images_per_sec"] = "quadratic";
    const study::Study chosen = withChosenModels(study);
    EXPECT_EQ(chosen.factors, study.factors);
    EXPECT_EQ(chosen.responses[0].transform.kind, TransformKind::None);
    EXPECT_EQ(chosen.model.at("images_per_sec"), "quadratic");
    EXPECT_EQ(chosen.model.at("scaling_efficiency"), "auto");
}

} // namespace quadric::model::test
