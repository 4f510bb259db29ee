// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/next/run_plan.h"
#include "core/study/space/constraint.h"
#include "fixtures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::optimize {
namespace {

bool dominates(const FrontPoint& a, const FrontPoint& b)
{
    bool isBetter = false;
    for (std::size_t i = 0; i < a.responses.size(); ++i) {
        if (a.responses[i].second < b.responses[i].second)
            return false;
        isBetter |= a.responses[i].second > b.responses[i].second + 1e-6;
    }
    return isBetter;
}

/// Two distances from (1, 0) and (−1, 0), negated: f = −(a−1)² − b², g = −(a+1)² − b² over the square. The
/// front is the segment between both points, where √−f + √−g = 2.
Fitted twoPoints()
{
    Fitted fitted;
    fitted.study.factors.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
        fitted.study.factors[i].name = i == 0 ? "a" : "b";
        fitted.study.factors[i].low = -1.0;
    }
    for (const double side : {1.0, -1.0}) {
        study::Response response;
        response.name = side > 0.0 ? "f" : "g";
        fitted.study.responses.push_back(response);
        fitted.fits.push_back(
            polynomialFit(fitted.study, response.name, {-1.0, 2.0 * side, 0.0, 0.0, -1.0, -1.0}, -5.0, 0.0));
    }
    return fitted;
}

TEST(TradeOffFront, LiesOnTheKnownFrontAndCoversIt)
{
    const Fitted fitted = twoPoints();
    const std::vector<FrontPoint> front = tradeOffFront(fitted.study, fitted.fits);
    ASSERT_GE(front.size(), 20U);
    ASSERT_LE(front.size(), 60U);
    for (const FrontPoint& point : front)
        EXPECT_NEAR(std::sqrt(-point.responses[0].second) + std::sqrt(-point.responses[1].second), 2.0, 2e-3);
    EXPECT_NEAR(front.back().responses[0].second, 0.0, 1e-6);
    EXPECT_NEAR(front.front().responses[1].second, 0.0, 1e-6);
    for (std::size_t i = 1; i < front.size(); ++i) {
        const double gap =
            study::numberOf(front[i].settings.at("a")) - study::numberOf(front[i - 1].settings.at("a"));
        EXPECT_GE(gap, 0.0);
        EXPECT_LT(gap, 0.25);
    }
}

TEST(TradeOffFront, IsLegalAndNondominated)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
    const std::vector<FrontPoint> front = tradeOffFront(fitted.study, fitted.fits, {}, 25);
    ASSERT_GT(front.size(), 5U);
    EXPECT_LE(front.size(), 25U);
    for (const FrontPoint& a : front) {
        EXPECT_TRUE(study::isLegal(fitted.study, a.settings));
        for (const study::Factor& factor : fitted.study.factors) {
            const double value = study::numberOf(a.settings.at(factor.name));
            EXPECT_EQ(study::snapToLegal(factor, value), value);
        }
        for (const FrontPoint& b : front)
            EXPECT_FALSE(dominates(a, b));
    }
}

/// On nodes of 16, of any number of GPUs from 8 to 64.
TEST(TradeOffFront, FillsNodesAsNextRunsAndTheMostRobustSettingDo)
{
    Fitted fitted = scalingStudy();
    fitted.study.factors[0].multipleOf = 1;
    for (model::Fit& fit : fitted.fits)
        fit.factors = fitted.study.factors;
    fitted.study.fixed["ranks_per_node"] = 16.0;
    fitted.study.responses[0].low = 8000.0;
    fitted.study.responses[0].high = 20000.0;
    fitted.study.responses[1].low = 88.0;
    fitted.study.responses[1].high = 100.0;
    std::vector<study::Settings> recommended;
    for (const FrontPoint& point : tradeOffFront(fitted.study, fitted.fits))
        recommended.push_back(point.settings);
    EXPECT_GT(recommended.size(), 5U);
    const RunPlan plan =
        planRuns(fitted.study, model::fitProcesses(fitted.study), {.most = 4, .leastGain = 0.0});
    EXPECT_EQ(plan.runs.size(), 4U);
    for (const PlannedRun& run : plan.runs)
        recommended.push_back(run.settings);
    recommended.push_back(findRobust(fitted.study, fitted.fits).settings);
    for (const study::Settings& settings : recommended) {
        const double gpus = study::numberOf(settings.at("gpu_count"));
        EXPECT_TRUE(gpus <= 16.0 || std::fmod(gpus, 16.0) == 0.0) << gpus;
    }
}

/// b is twice a in all runs, so that nothing is known of b alone: it stays where the best run has it.
TEST(TradeOffFront, HoldsWhatTheRunsCannotTellAsTheMostRobustSettingDoes)
{
    study::Study study;
    study.factors = {{.name = "a", .low = 5.0, .high = 7.0},
                     {.name = "b", .low = 10.0, .high = 14.0},
                     {.name = "c", .low = 10.0, .high = 14.0}};
    study.responses = {{.name = "f", .goal = study::Goal::Maximize, .low = 100.0},
                       {.name = "g", .goal = study::Goal::Minimize}};
    study.model = {{"f", "linear"}, {"g", "linear"}};
    std::vector<study::Settings> settings;
    for (const double a : {5.0, 6.0, 7.0})
        for (const double c : {10.0, 12.0, 14.0})
            settings.push_back({{"a", a}, {"b", 2.0 * a}, {"c", c}});
    study = study::withRuns(study, settings, study::RunKind::Design);
    for (study::Run& run : study.runs) {
        const double a = study::numberOf(run.settings.at("a")), c = study::numberOf(run.settings.at("c"));
        run.status = study::RunStatus::Done;
        run.results["f"] = 20.0 * a + 3.0 * c + std::sin(3.0 * run.id);
        run.results["g"] = 4.0 * a + c + std::cos(5.0 * run.id);
    }
    const std::vector<model::Fit> fits = fitForGoals(study);
    const std::vector<FrontPoint> front = tradeOffFront(study, fits);
    ASSERT_GT(front.size(), 5U);
    for (const FrontPoint& point : front)
        EXPECT_EQ(point.settings.at("b"), front.front().settings.at("b"));
    EXPECT_EQ(findRobust(study, fits).settings.at("b"), front.front().settings.at("b"));
}

TEST(TradeOffFront, IsEmptyWithoutModelsOrLegalSettings)
{
    Fitted fitted = twoPoints();
    EXPECT_TRUE(tradeOffFront(fitted.study, {}).empty());
    fitted.study.constraints = {"a > 5"};
    EXPECT_TRUE(tradeOffFront(fitted.study, fitted.fits).empty());
}

TEST(TradeOffFront, DesirabilityOfItsPointsIsThatOfTheirSettings)
{
    const Fitted fitted = scalingStudy();
    const std::vector<FrontPoint> front = tradeOffFront(fitted.study, fitted.fits, {}, 12);
    const std::vector<double> overall = frontDesirability(fitted.study, fitted.fits, front);
    ASSERT_EQ(overall.size(), front.size());
    for (std::size_t i = 0; i < front.size(); ++i)
        EXPECT_NEAR(overall[i], assess(fitted.study, fitted.fits, front[i].settings).overall, 1e-10);
}

} // namespace
} // namespace quadric::optimize
