// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/next/chosen_limits.h"
#include "core/optimize/next/run_plan.h"
#include "fixtures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quadric::optimize {
namespace {

// What follow-ups have to reach to be measured in full, and how often a run at the best setting does not.

constexpr double kNoise = 0.02;

double truth(double a, double b)
{
    return 10.0 - 3.0 * (a - 0.4) * (a - 0.4) - 2.0 * b * b + 0.5 * std::sin(3.0 * a);
}

study::Study measured(std::mt19937_64& random, double sign = 1.0)
{
    std::normal_distribution<double> noise(0.0, kNoise);
    study::Study study;
    study.factors = {{.name = "a", .low = -1.0, .high = 1.0}, {.name = "b", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "speed", .goal = sign > 0.0 ? study::Goal::Maximize : study::Goal::Minimize}};
    for (int i = 0; i < 16; ++i) {
        const double a = -1.0 + 2.0 * std::fmod(0.5 + i * 0.7548776662, 1.0);
        const double b = -1.0 + 2.0 * std::fmod(0.5 + i * 0.5698402910, 1.0);
        study::Run run{
            .id = i + 1, .order = i + 1, .settings = {{"a", a}, {"b", b}}, .status = study::RunStatus::Done};
        run.results["speed"] = sign * truth(a, b) + noise(random);
        study.runs.push_back(std::move(run));
    }
    return study;
}

std::optional<study::ShortLook> barOf(const study::Study& study)
{
    return findShortLookBar(study, model::fitProcesses(study));
}

double bestTruth(const study::Study& study)
{
    double best = -HUGE_VAL;
    for (const study::Run& run : study.runs)
        best = std::max(best,
                        truth(study::numberOf(run.settings.at("a")), study::numberOf(run.settings.at("b"))));
    return best;
}

TEST(ShortLookBar, ARunAtTheBestSettingReachesItInAllButOneOfAThousandCases)
{
    constexpr int kStudies = 300;
    std::mt19937_64 random(20261123);
    std::normal_distribution<double> noise(0.0, kNoise);
    int given = 0;
    int missed = 0;
    double room = 0.0;
    for (int i = 0; i < kStudies; ++i) {
        const study::Study study = measured(random);
        const std::optional<study::ShortLook> bar = barOf(study);
        if (!bar)
            continue;
        ++given;
        const double best = bestTruth(study);
        room += best - *bar->worseThan;
        for (int again = 0; again < 20; ++again)
            missed += best + noise(random) < *bar->worseThan ? 1 : 0;
    }
    EXPECT_EQ(given, kStudies);
    EXPECT_LE(missed, 20 * kStudies / 1000);
    EXPECT_LE(room / kStudies, 20.0 * kNoise)
        << "4 % of the best value: a bar that no setting misses says nothing";
    RecordProperty("missed", missed);
    RecordProperty("room", std::to_string(room / kStudies));
}

TEST(ShortLookBar, IsAboveWhereLessIsBetter)
{
    std::mt19937_64 random(1);
    const study::Study study = measured(random, -1.0);
    EXPECT_EQ(barOf(study)->response, "speed");
    EXPECT_GT(*barOf(study)->worseThan, -bestTruth(study));
}

TEST(ShortLookBar, IsOfOneResponseWithoutALimitAndOfFullMeasurements)
{
    std::mt19937_64 random(1);
    const study::Study study = measured(random);
    study::Study limited = study;
    limited.responses[0].high = 9.0;
    EXPECT_FALSE(barOf(limited));
    study::Study two = study;
    two.responses.push_back({.name = "cost", .goal = study::Goal::Minimize});
    for (study::Run& run : two.runs)
        run.results["cost"] = study::numberOf(run.settings.at("a"));
    EXPECT_FALSE(barOf(two));
    study::Study unmeasured = study;
    for (study::Run& run : unmeasured.runs)
        run.provenance.shortLook = study::ShortLook{"speed", 9.0};
    EXPECT_FALSE(barOf(unmeasured));
}

TEST(ShortLookBar, WhatWasLookedAtShortlyIsNeverTheBestMeasured)
{
    std::mt19937_64 random(1);
    study::Study study = measured(random);
    const auto bestRun = [&] { return findBestMeasured(study, fitForGoals(study)).front().run; };
    const auto bestStep = [&] { return *findBestSoFar(study, fitForGoals(study)).steps.back().best; };
    const int best = bestRun();
    const double value = bestStep();
    study.runs[static_cast<std::size_t>(best) - 1].provenance.shortLook = study::ShortLook{"speed", 9.9};
    EXPECT_NE(bestRun(), best);
    EXPECT_LT(bestStep(), value);
}

/// Five runs in the order 3, 1, 2, 5, 4; the third that is executed fails.
study::Study fiveRuns(study::Goal goal)
{
    study::Study study;
    study.factors = {{.name = "a", .low = 0.0, .high = 4.0}};
    study.responses = {{.name = "speed", .unit = "1/s", .goal = goal}};
    const std::vector<std::pair<int, double>> runs{{2, 10.0}, {3, 0.0}, {1, 8.0}, {5, 12.0}, {4, 11.0}};
    int id = 0;
    for (const auto& [order, speed] : runs) {
        study::Run run{.id = ++id, .order = order, .settings = {{"a", id - 1.0}}};
        run.status = study::RunStatus::Done;
        run.results["speed"] = speed;
        study.runs.push_back(std::move(run));
    }
    study.runs[1].status = study::RunStatus::Failed;
    study.runs[1].failure = study::Failure{"out-of-memory", ""};
    study.runs[1].results.clear();
    return study;
}

std::vector<std::optional<double>> bests(const BestSoFar& found)
{
    std::vector<std::optional<double>> values;
    for (const BestStep& step : found.steps)
        values.push_back(step.best);
    return values;
}

TEST(BestSoFar, FollowsTheRunsInTheirOrder)
{
    const study::Study study = fiveRuns(study::Goal::Maximize);
    const BestSoFar found = findBestSoFar(study, fitForGoals(study));
    EXPECT_EQ(found.title, "speed");
    EXPECT_EQ(found.unit, "1/s");
    EXPECT_EQ(bests(found), (std::vector<std::optional<double>>{8.0, 10.0, 10.0, 11.0, 12.0}));
    EXPECT_EQ(found.steps[2].failure, "out-of-memory");
    EXPECT_FALSE(found.steps[2].value);
    EXPECT_TRUE(found.steps[4].isBetter);
}

TEST(BestSoFar, SmallerIsBetterWhereTheGoalSaysSo)
{
    const study::Study study = fiveRuns(study::Goal::Minimize);
    const BestSoFar found = findBestSoFar(study, fitForGoals(study));
    EXPECT_TRUE(found.isSmallerBetter);
    EXPECT_EQ(bests(found), (std::vector<std::optional<double>>(5, 8.0)));
}

TEST(BestSoFar, SeveralGoalsAreJoinedByDesirability)
{
    study::Study study = fiveRuns(study::Goal::Maximize);
    study.responses.push_back({.name = "cost", .goal = study::Goal::Minimize, .low = 0.0, .high = 10.0});
    study.responses[0].low = 0.0;
    study.responses[0].high = 20.0;
    for (study::Run& run : study.runs) {
        if (!run.results.empty())
            run.results["cost"] = 5.0;
    }
    const BestSoFar found = findBestSoFar(study, fitForGoals(study));
    EXPECT_EQ(found.title, "D");
    ASSERT_TRUE(found.steps.back().best);
    EXPECT_NEAR(*found.steps.back().best, std::sqrt(12.0 / 20.0 * 0.5), 1e-9);
}

TEST(BestSoFar, WithoutAGoalThereIsNone)
{
    const study::Study study = fiveRuns(study::Goal::None);
    EXPECT_TRUE(findBestSoFar(study, fitForGoals(study)).steps.empty());
}

TEST(RunsLimit, IsKeptWithTheStudyAndNinetyPercentWithout)
{
    study::Study study = fiveRuns(study::Goal::Maximize);
    EXPECT_EQ(readLeastRunsProbability(study), 0.9);
    study = withLeastRunsProbability(withLeastRunsProbability(study, 0.5), 0.75);
    EXPECT_EQ(readLeastRunsProbability(study), 0.75);
    EXPECT_EQ(study.view.at("optimize").views.size(), 1U);
    study.view.at("optimize").views[0][1] = "1.5";
    EXPECT_EQ(readLeastRunsProbability(study), 0.9) << "no probability";
}

} // namespace
} // namespace quadric::optimize
