// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"
#include "core/study/factor.h"
#include "core/study/shown_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>

namespace quadric::study {
namespace {

std::vector<Factor> fourFactors()
{
    return {{.name = "gpus", .type = FactorType::Integer, .low = 8, .high = 64},
            {.name = "batch", .type = FactorType::Integer, .low = 32, .high = 256, .scale = Scale::Log2},
            {.name = "rate", .low = 0.001, .high = 0.7, .scale = Scale::Log2},
            {.name = "precision", .type = FactorType::Categorical, .categories = {"fp32", "bf16", "fp16"}}};
}

CodedPoint point(std::initializer_list<double> values)
{
    Eigen::VectorXd x(static_cast<Eigen::Index>(values.size()));
    std::copy(values.begin(), values.end(), x.data());
    return CodedPoint{x};
}

TEST(CodingTest, CenterOfALog2FactorIsItsGeometricMean)
{
    const Coding coding(fourFactors());
    EXPECT_NEAR(coding.toActual(1, 0.0), std::sqrt(32.0 * 256.0), 1e-12); // 90.5
    EXPECT_NEAR(coding.toCoded(1, 144.0), 2.0 * std::log2(144.0 / 32.0) / 3.0 - 1.0, 1e-14);
}

TEST(CodingTest, CenterOfALinearFactorIsItsMean)
{
    const Coding coding(fourFactors());
    EXPECT_EQ(coding.toActual(0, 0.0), 36.0);
    EXPECT_EQ(coding.toCoded(0, 36.0), 0.0);
}

TEST(CodingTest, TheLimitsAreExactlyMinusAndPlusOne)
{
    const Coding coding(fourFactors());
    for (std::size_t i = 0; i < 3; ++i) {
        const Factor& factor = coding.factors()[i];
        EXPECT_EQ(coding.toActual(i, -1.0), factor.low);
        EXPECT_EQ(coding.toActual(i, 1.0), factor.high);
        EXPECT_NEAR(coding.toCoded(i, factor.low), -1.0, 1e-15);
        EXPECT_NEAR(coding.toCoded(i, factor.high), 1.0, 1e-15);
    }
}

TEST(CodingTest, CodedAndActualAreInverse)
{
    const Coding coding(fourFactors());
    std::mt19937 random(1);
    std::uniform_real_distribution<double> within(-2.0, 2.0);
    for (int i = 0; i < 1000; ++i) {
        const CodedPoint start = point({within(random), within(random), within(random), double(i % 3)});
        const CodedPoint back = coding.toCoded(coding.toSettings(start));
        EXPECT_LT((back.x - start.x).cwiseAbs().maxCoeff(), 1e-13);
    }
}

TEST(CodingTest, CategoriesAreCodedByTheirIndex)
{
    const Coding coding(fourFactors());
    const Settings settings = coding.toSettings(point({0, 0, 0, 2}));
    EXPECT_EQ(settings.at("precision"), Value("fp16"));
    EXPECT_EQ(coding.toSettings(point({0, 0, 0, 99})).at("precision"), Value("fp16"));
    EXPECT_EQ(coding.toSettings(coding.center()).at("precision"), Value("fp32"));
}

TEST(CodingTest, LegalSettingsAreRoundedToWhatCanBeRun)
{
    const Coding coding(fourFactors());
    const Settings settings = coding.toLegalSettings(coding.center());
    EXPECT_EQ(settings.at("gpus"), Value(36.0));
    EXPECT_EQ(settings.at("batch"), Value(91.0)); // log2(91/90.51) = 0.0078, log2(90.51/90) = 0.0081
    EXPECT_NEAR(numberOf(settings.at("rate")), std::sqrt(0.001 * 0.7), 1e-15);
}

TEST(CodingTest, LegalSettingsCarryNoNoiseOfTheCoding)
{
    const double sum = 0.1 + 0.2; // 0.30000000000000004, a low end that somebody computed
    const Coding coding(
        {{.name = "rate", .low = 0.001, .high = 0.1, .scale = Scale::Log2},
         {.name = "share", .low = sum, .high = 0.9},
         {.name = "step", .type = FactorType::Discrete, .low = sum, .high = 1.0, .levels = {sum, 1.0}}});
    const Settings center = coding.toLegalSettings(coding.center());
    EXPECT_EQ(center.at("rate"), Value(0.01)) << "not 0.010000000000000002";
    EXPECT_EQ(center.at("share"), Value(0.6)) << "not 0.6000000000000001";
    const double third = 1.0 / 3.0;
    const Coding thirds({{.name = "share", .low = third, .high = 1.0}});
    const double twoThirds = numberOf(thirds.toLegalSettings(thirds.center()).at("share"));
    EXPECT_LE(twoThirds * 3.0, 2.0) << "no digits of it are cut off";
    const Settings low = coding.toLegalSettings(point({-1.0, -1.0, -1.0}));
    EXPECT_EQ(low.at("share"), Value(sum)) << "what is given stays";
    EXPECT_EQ(low.at("step"), Value(sum));
}

TEST(CodingTest, IndexOfAName)
{
    const Coding coding(fourFactors());
    EXPECT_EQ(coding.indexOf("rate"), 2);
    EXPECT_EQ(coding.indexOf("Rate"), -1);
}

TEST(CodingTest, BadSettingsNameTheFactor)
{
    const Coding coding(fourFactors());
    const Settings good = coding.toSettings(coding.center());
    const auto messageFor = [&](const std::string& name, std::optional<Value> value) -> std::string {
        Settings settings = good;
        settings.erase(name);
        if (value)
            settings[name] = *value;
        try {
            static_cast<void>(coding.toCoded(settings));
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(messageFor("gpus", std::nullopt), "factor gpus: has no value in the settings");
    EXPECT_EQ(messageFor("gpus", Value("many")), "factor gpus: value \"many\", expected a number");
    EXPECT_EQ(messageFor("batch", Value(0.0)),
              "factor batch: value 0, expected more than 0 on the log2 scale");
    EXPECT_EQ(messageFor("precision", Value("int8")), "factor precision: \"int8\" is not one of its levels");
}

TEST(CodingTest, BadFactorsAndPointsAreRefused)
{
    EXPECT_THROW(Coding({{.name = "a", .low = 1, .high = 1}}), std::invalid_argument);
    EXPECT_THROW(Coding({{.name = "a", .low = 0, .high = 1, .scale = Scale::Log2}}), std::invalid_argument);
    EXPECT_THROW(Coding({{.name = "a", .low = std::nan(""), .high = 1}}), std::invalid_argument);
    EXPECT_THROW(Coding({{.name = "a", .type = FactorType::Categorical}}), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(Coding(fourFactors()).toSettings(point({0, 0}))), std::invalid_argument);
}

/// The next number below +1 is inside the range, however its actual value is rounded.
TEST(CodingTest, WhatIsInsideIsNotRoundedPastAnEnd)
{
    for (int i = 1; i <= 1000; ++i)
        for (const Scale scale : {Scale::Linear, Scale::Log2}) {
            const Factor factor{.name = "x", .low = i / 7.0, .high = i / 7.0 + i % 13 + 1.1, .scale = scale};
            const Coding coding({factor});
            EXPECT_LE(coding.toActual(0, std::nextafter(1.0, 0.0)), factor.high) << i;
            EXPECT_GE(coding.toActual(0, std::nextafter(-1.0, 0.0)), factor.low) << i;
        }
}

/// The center of ranks lies at 12 on the log2 scale of 4 … 32 (11.3), of share at 45.
Study threeFactors()
{
    Study study{.name = "s"};
    study.factors = {{.name = "ranks",
                      .type = FactorType::Integer,
                      .low = 4,
                      .high = 32,
                      .scale = Scale::Log2,
                      .multipleOf = 4},
                     {.name = "share", .low = 0, .high = 90},
                     {.name = "precision", .type = FactorType::Categorical, .categories = {"fp32", "bf16"}}};
    return study;
}

TEST(SliceTest, BeginsAtTheCenterWhereItCanBeRun)
{
    const Settings expected{{"ranks", 12.0}, {"share", 45.0}, {"precision", "fp32"}};
    EXPECT_EQ(readSlice(threeFactors()), expected);
}

TEST(SliceTest, IsKeptInTheDocument)
{
    Study study = withHeld(threeFactors(), "share", 12.625);
    study = withHeld(study, "precision", "bf16");
    study = withHeld(study, "share", 0.1);
    const Settings expected{{"ranks", 12.0}, {"share", 0.1}, {"precision", "bf16"}};
    EXPECT_EQ(readSlice(parseStudy(writeStudy(study), "s").study), expected);
}

TEST(SliceTest, LeavesNoTraceAtTheCenter)
{
    const Study study = threeFactors();
    EXPECT_EQ(withHeld(withHeld(study, "ranks", 32.0), "ranks", 12.0), study);
}

TEST(SliceTest, TakesNoValueThatCannotBeRun)
{
    const Study study = threeFactors();
    EXPECT_EQ(withHeld(study, "ranks", 10.0), study);
    EXPECT_EQ(withHeld(study, "ranks", 36.0), study);
    EXPECT_EQ(withHeld(study, "precision", "fp8"), study);
    EXPECT_EQ(withHeld(study, "precision", 1.0), study);
    EXPECT_EQ(withHeld(study, "share", "half"), study);
    EXPECT_EQ(withHeld(study, "gpus", 4.0), study);
}

TEST(SliceTest, ForgetsValuesThatTheFactorsHaveNoLonger)
{
    Study study = withHeld(withHeld(threeFactors(), "ranks", 32.0), "precision", "bf16");
    study.factors[0].high = 16.0;
    study.factors[2].categories = {"fp32", "fp16"};
    study.view["slice"].views.push_back({"torn"});
    study.view["slice"].views.push_back({"share", "half"});
    EXPECT_EQ(std::get<double>(readSlice(study).at("ranks")), 8.0);
    EXPECT_EQ(std::get<std::string>(readSlice(study).at("precision")), "fp32");
    EXPECT_EQ(std::get<double>(readSlice(study).at("share")), 45.0);
}

TEST(SliceTest, IsAViewOnly)
{
    const Study study = threeFactors();
    EXPECT_TRUE(differInViewOnly(study, withHeld(study, "share", 3.0)));
    Study renamed = study;
    renamed.name = "t";
    EXPECT_FALSE(differInViewOnly(study, renamed));
}

} // namespace
} // namespace quadric::study
