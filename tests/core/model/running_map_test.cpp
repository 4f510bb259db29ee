// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/running_map.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model {
namespace {

study::Run ended(int id, double a, double b, double c, bool hasFailed)
{
    study::Run run{.id = id, .order = id, .settings = {{"a", a}, {"b", b}, {"c", c}}};
    run.status = hasFailed ? study::RunStatus::Failed : study::RunStatus::Done;
    if (hasFailed)
        run.failure = study::Failure{"out-of-memory", ""};
    return run;
}

/// Runs fail where a is above 6 of 0 … 10; b, from 1 to 16 on a log scale, and c do not matter.
study::Study falling()
{
    study::Study study;
    study.factors = {{.name = "a", .low = 0.0, .high = 10.0},
                     {.name = "b", .low = 1.0, .high = 16.0, .scale = study::Scale::Log2},
                     {.name = "c", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "y"}};
    int id = 0;
    for (const double a : {0.0, 2.0, 4.0, 5.5, 6.5, 8.0, 10.0}) {
        for (const double b : {1.0, 4.0, 16.0}) {
            ++id;
            study.runs.push_back(ended(id, a, b, id % 2 == 0 ? 1.0 : -1.0, a > 6.0));
        }
    }
    return study;
}

TEST(RunningMap, LineCrossesAnEvenChanceWhereRunsBeginToFail)
{
    const study::Study study = falling();
    const study::CodedPoint center = study::Coding(study.factors).center();
    std::vector<double> places;
    for (int i = 0; i <= 40; ++i)
        places.push_back(0.25 * i);
    const study::FeasibleLine line = runningLine(study, {0, places}, center);
    ASSERT_EQ(line.value.size(), places.size());
    EXPECT_EQ(line.level, 0.5);
    const std::vector<study::Range> failing = study::infeasibleRanges(study.factors[0], places, line);
    ASSERT_EQ(failing.size(), 1U);
    EXPECT_NEAR(failing[0].low, 6.0, 0.5) << "between 5.5, which ran, and 6.5, which failed";
    EXPECT_EQ(failing[0].high, 10.0);
}

TEST(RunningMap, NodesAreTheProbabilitiesOfTheirSettings)
{
    const study::Study study = falling();
    const study::Coding coding(study.factors);
    const study::FeasibleGrid grid =
        runningGrid(study, {1, {1.0, 4.0, 16.0}}, {0, {3.0, 7.0}}, coding.center());
    ASSERT_EQ(grid.value.rows(), 3);
    ASSERT_EQ(grid.value.cols(), 2);
    const auto at = coding.toCoded({{"a", 7.0}, {"b", 4.0}, {"c", 0.0}});
    EXPECT_EQ(grid.value(1, 1), feasibilityOf(study)->probabilityAt(at.x));
    EXPECT_TRUE(grid.isFeasible(1, 0));
    EXPECT_FALSE(grid.isFeasible(1, 1));
}

TEST(RunningMap, OnlyFailuresOfTheSliceAreOnTheMap)
{
    study::Study study = falling();
    study.runs.push_back(ended(50, 9.0, 2.0, 0.0, true));
    study.runs.push_back(ended(51, 9.0, 2.0, 0.5, true));
    study.runs.push_back(ended(52, 9.0, 2.0, 0.0, true));
    study.runs.back().failure->kind = "cancelled";
    SurfaceGrid grid;
    grid.x = {0.0, 10.0};
    grid.y = {1.0, 16.0};
    const MarkedSurface surface = marked(grid, study, 0, 1, study::Coding(study.factors).center());
    ASSERT_EQ(surface.failed.size(), 1U);
    EXPECT_EQ(surface.failed[0].run, 50);
    EXPECT_NEAR(surface.failed[0].x, 9.0, 1e-9);
    EXPECT_NEAR(surface.failed[0].y, 2.0, 1e-9);
    EXPECT_EQ(surface.failed[0].cause, "out-of-memory");
    EXPECT_FALSE(surface.running.isEmpty());
}

TEST(RunningMap, WithoutFailuresNothingIsMarked)
{
    study::Study study = falling();
    std::erase_if(study.runs, [](const study::Run& run) { return run.status == study::RunStatus::Failed; });
    const study::CodedPoint center = study::Coding(study.factors).center();
    EXPECT_TRUE(runningGrid(study, {0, {0.0, 10.0}}, {1, {1.0, 16.0}}, center).isEmpty());
    EXPECT_TRUE(runningLine(study, {0, {0.0, 10.0}}, center).value.empty());
    EXPECT_TRUE(failedPoints(study, 0, 1, center).empty());
}

} // namespace
} // namespace quadric::model
