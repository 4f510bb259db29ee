// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: tests/references/models/bounded.R (lm of qlogis() and log(), intervals by plogis()).
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/predict.h"
#include "core/model/process/process.h"
#include "core/model/select/boxcox.h"
#include "core/study/response.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace quadric::model::test {

namespace {

using study::Bounds;
using study::TransformKind;

constexpr std::array kA{-1.0, 1.0, -1.0, 1.0, 0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0};
constexpr std::array kB{-1.0, -1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 1.0};
constexpr std::array kPercent{62.1, 97.3, 35.4, 91.8, 80.2, 78.9, 81.1, 50.7, 95.9, 88.4, 69.5};
constexpr std::array kCounts{3.0, 17.0, 0.0, 9.0, 6.0, 5.0, 7.0, 2.0, 21.0, 8.0, 4.0};

/// On the scale that keeps the bounds: the logit of two, the logarithm of one.
study::Study boundedStudy(const std::array<double, 11>& y, const Bounds& bounds)
{
    study::Study study = plainStudy({"A", "B"});
    study.responses[0].bounds = bounds;
    study.responses[0].transform.kind = bounds.high ? TransformKind::Logit : TransformKind::Log;
    for (std::size_t i = 0; i < y.size(); ++i)
        addRun(study, {kA[i], kB[i]}, y[i]);
    return study;
}

study::CodedPoint at(double a, double b)
{
    return study::CodedPoint(Eigen::Vector2d(a, b));
}

void expectInterval(const std::optional<Interval>& interval, double low, double high)
{
    ASSERT_TRUE(interval.has_value());
    EXPECT_NEAR(interval->low, low, 1e-9);
    EXPECT_NEAR(interval->high, high, 1e-9);
}

void expectCoefficients(const Fit& fit, const std::vector<double>& expected)
{
    ASSERT_TRUE(fit.isOk()) << fit.message;
    ASSERT_EQ(fit.beta.size(), std::ssize(expected));
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(fit.beta[static_cast<Eigen::Index>(i)], expected[i], 1e-11) << i;
}

} // namespace

TEST(Bounded, TwoBoundsAreFittedByTheLogitAsRDoes)
{
    const Fit fit = fitResponse(boundedStudy(kPercent, {0.0, 100.0}), "y");
    expectCoefficients(fit, {1.423611154141064, 1.538675041994388, -0.578605557149870, -0.018442901331390,
                             0.118267935309931, -0.044659013309552});
    EXPECT_EQ(fit.transform.kind, TransformKind::Logit);
    EXPECT_NEAR(fit.sigma, 0.07463021840936, 1e-13);
    const Prediction middle = predict(fit, at(0.5, -0.5)), corner = predict(fit, at(1.0, -1.0));
    EXPECT_NEAR(middle.mean, 92.451005159466, 1e-9);
    expectInterval(middle.confidence, 91.767749339065, 93.081827619095);
    expectInterval(middle.prediction, 90.817913192563, 93.813427456695);
    EXPECT_NEAR(corner.mean, 97.424273029951, 1e-9);
    expectInterval(corner.confidence, 96.958740187346, 97.820147748897);
    expectInterval(corner.prediction, 96.694594857641, 97.996210553070);
}

TEST(Bounded, ValuesAtABoundCountAsHalfTheSmallestDistanceInside)
{
    std::array<double, 11> y = kPercent;
    y[1] = 100.0;
    y[2] = 0.0;
    const Fit fit = fitResponse(boundedStudy(y, {0.0, 100.0}), "y", {.model = "linear"});
    EXPECT_NEAR(fit.transform.inset, 2.05, 1e-12);
    expectCoefficients(fit, {1.1925756001837, 2.1298725246027, -1.1698030397582});
    EXPECT_EQ(fit.data->observations.y[1], 100.0) << "the value itself stays";
    const Fit counts = fitResponse(boundedStudy(kCounts, {}), "y", {.model = "linear"});
    EXPECT_EQ(counts.transform.kind, TransformKind::Log);
    expectCoefficients(counts, {1.69814211471465, 1.04720014831463, -0.40462470599134});
}

TEST(Bounded, ValuesBeyondABoundAreNamed)
{
    std::array<double, 11> y = kPercent;
    y[3] = 104.0;
    const Fit fit = fitResponse(boundedStudy(y, {0.0, 100.0}), "y");
    EXPECT_EQ(fit.status, FitStatus::BadTransform);
    EXPECT_EQ(fit.message,
              "Run 4 has y = 104, but the transform logit needs values strictly between 0 and 100.");
    y.fill(100.0);
    EXPECT_EQ(fitResponse(boundedStudy(y, {0.0, 100.0}), "y").status, FitStatus::BadTransform)
        << "no value says how far inside a bound counts";
}

/// Far outside of the runs, where the polynomial leaves them.
TEST(Bounded, PredictionsOnOtherScalesAreHeldAtTheBounds)
{
    const study::Study percent = boundedStudy(kPercent, {0.0, 100.0});
    for (const char* name : {"none", "log", "sqrt"}) {
        const Fit fit = fitResponse(percent, "y", {.transform = study::transformFrom(name)});
        ASSERT_TRUE(fit.isOk()) << name << ": " << fit.message;
        for (const double a : {-5.0, -1.0, 1.0, 5.0}) {
            const Prediction there = predict(fit, at(a, -a));
            EXPECT_TRUE(there.mean >= 0.0 && there.mean <= 100.0)
                << name << " at " << a << ": " << there.mean;
            if (!there.prediction)
                continue; // the next test says where there is none
            for (const double value : {there.prediction->low, there.prediction->high})
                EXPECT_TRUE(value >= 0.0 && value <= 100.0) << name << " at " << a << ": " << value;
        }
    }
    study::Study seconds = boundedStudy(kPercent, {});
    seconds.responses[0] = {.name = "y", .unit = "s"}; // no bounds but those of a time
    const Fit line = fitResponse(seconds, "y", {.model = "linear"});
    EXPECT_LT(predictOnModelScale(line, at(-5.0, 5.0)), 0.0);
    EXPECT_EQ(predict(line, at(-5.0, 5.0)).mean, 0.0);
}

/// An interval of which nothing is possible would be one point at the bound, which claims to know exactly.
TEST(Bounded, AnIntervalWhollyBeyondABoundIsNone)
{
    study::Study seconds = boundedStudy(kPercent, {});
    seconds.responses[0] = {.name = "y", .unit = "s"};
    const Fit line = fitResponse(seconds, "y", {.model = "linear"});
    bool isSomeCut = false;
    bool isSomeEmpty = false;
    for (double a = 0.0; a <= 20.0; a += 0.25) {
        const Prediction there = predict(line, at(-a, a));
        isSomeEmpty = isSomeEmpty || !there.confidence;
        if (!there.confidence)
            continue;
        EXPECT_GE(there.confidence->low, 0.0);
        EXPECT_GT(there.confidence->high, 0.0);
        isSomeCut = isSomeCut || there.confidence->low == 0.0;
    }
    EXPECT_TRUE(isSomeCut);
    EXPECT_TRUE(isSomeEmpty);
}

TEST(Bounded, TheLogitNeedsTwoBounds)
{
    study::Study free = boundedStudy(kPercent, {0.0, 100.0});
    EXPECT_FALSE(boxCox(fitResponse(free, "y")).has_value()) << "a power is no logit";
    free.responses[0].bounds.reset();
    const Fit fit = fitResponse(free, "y");
    EXPECT_EQ(fit.status, FitStatus::BadTransform);
    EXPECT_EQ(fit.message, "No model: the transform logit needs two bounds of y, such as 0 … 100.");
}

/// Shares near both ends on a steep slope: a straight line leaves 0 … 1 at once, the model of the bounds
/// never does, and its intervals hold as often as they say.
TEST(Bounded, IntervalsStayInsideAndHoldAsOftenAsTheySay)
{
    constexpr int kStudies = 1500;
    std::mt19937_64 random(11);
    std::normal_distribution<double> noise(0.0, 0.5);
    const auto truth = [&](double a, double b) {
        return 1.0 / (1.0 + std::exp(-(4.0 * a - 2.0 * b + noise(random))));
    };
    int covered = 0, leaving = 0;
    for (int i = 0; i < kStudies; ++i) {
        study::Study study = plainStudy({"A", "B"});
        study.responses[0].bounds = Bounds{0.0, 1.0};
        study.responses[0].transform.kind = TransformKind::Logit;
        for (std::size_t run = 0; run < kA.size(); ++run)
            addRun(study, {kA[run], kB[run]}, truth(kA[run], kB[run]));
        const Prediction inside = predict(fitResponse(study, "y"), at(0.9, -0.8));
        ASSERT_TRUE(inside.prediction.has_value());
        EXPECT_TRUE(inside.prediction->low >= 0.0 && inside.prediction->high <= 1.0);
        const double next = truth(0.9, -0.8);
        covered += next >= inside.prediction->low && next <= inside.prediction->high ? 1 : 0;
        study.responses[0].bounds.reset();
        study.responses[0].transform.kind = TransformKind::None;
        leaving += predict(fitResponse(study, "y"), at(0.9, -0.8)).prediction->high > 1.0 ? 1 : 0;
    }
    EXPECT_NEAR(covered / double(kStudies), 0.95, 4.0 * std::sqrt(0.95 * 0.05 / kStudies));
    EXPECT_GT(leaving, kStudies * 9 / 10) << "what the bounds are for";
}

TEST(Bounded, TheProcessStaysInsideToo)
{
    const Process process = fitProcess(boundedStudy(kPercent, {0.0, 100.0}), "y");
    ASSERT_EQ(process.status, FitStatus::Ok) << process.message;
    EXPECT_EQ(process.transform.kind, TransformKind::Logit);
    for (const double a : {-3.0, -1.0, 0.0, 1.0, 3.0}) {
        const Interval run = process.predictNewRun(at(a, -a));
        EXPECT_TRUE(run.low >= 0.0 && run.high <= 100.0) << a;
    }
}

TEST(Bounded, LimitsAtTheBoundsArePassedByNoValue)
{
    const study::Transform percent{TransformKind::Logit, 1.0, 0.0, 100.0};
    EXPECT_EQ(limitOnModelScale(percent, 100.0), std::numeric_limits<double>::infinity());
    EXPECT_EQ(limitOnModelScale(percent, -5.0), -std::numeric_limits<double>::infinity());
    EXPECT_NEAR(limitOnModelScale(percent, 75.0).value(), std::log(3.0), 1e-15);
    EXPECT_EQ(invertTransform(percent, 800.0), 100.0);
    EXPECT_EQ(invertTransform(percent, -800.0), 0.0);
    EXPECT_EQ(inverseSlope(percent, 800.0), 0.0);
}

} // namespace quadric::model::test
