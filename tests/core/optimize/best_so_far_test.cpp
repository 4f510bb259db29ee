// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/best_so_far.h"

#include "core/optimize/answer/own_best.h"
#include "core/optimize/next/runs_limit.h"

#include <gtest/gtest.h>

namespace quadric::optimize {
namespace {

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
    EXPECT_EQ(leastRunsProbabilityOf(study), 0.9);
    study = withLeastRunsProbability(withLeastRunsProbability(study, 0.5), 0.75);
    EXPECT_EQ(leastRunsProbabilityOf(study), 0.75);
    EXPECT_EQ(study.view.at("optimize").views.size(), 1U);
    study.view.at("optimize").views[0][1] = "1.5";
    EXPECT_EQ(leastRunsProbabilityOf(study), 0.9) << "no probability";
}

} // namespace
} // namespace quadric::optimize
