// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/plan_tables.h"

#include "core/report/findings/run_plan_findings.h"
#include "core/report/table_text.h"
#include "core/report/tables/answer_tables.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace quadric::report {
namespace {

/// Eight runs along a; from 5 on they go out of memory.
study::Study eightRuns()
{
    study::Study study;
    study.factors = {{.name = "a", .low = 0.0, .high = 7.0}};
    study.responses = {{.name = "speed", .unit = "1/s"}};
    for (int id = 1; id <= 8; ++id) {
        study::Run run{.id = id, .order = id, .settings = {{"a", id - 1.0}}};
        run.status = id <= 5 ? study::RunStatus::Done : study::RunStatus::Failed;
        if (id <= 5)
            run.results["speed"] = 10.0 * id;
        else
            run.failure = study::Failure{"out-of-memory", ""};
        study.runs.push_back(std::move(run));
    }
    return study;
}

std::string textOf(const std::vector<Cell>& row)
{
    std::string text;
    for (const Cell& cell : row)
        text += (text.empty() ? "" : "|") + formatCell(cell);
    return text;
}

TEST(PlanTables, ProposedRunsSayWhatTheyMayGain)
{
    optimize::RunPlan plan;
    plan.status = optimize::OptimumStatus::Ok;
    plan.runs = {{.settings = {{"a", 4.5}}, .gain = 0.031, .runsProbability = 0.93, .seconds = 40.0},
                 {.settings = {{"a", 4.0}}, .gain = 0.006, .runsProbability = 1.0, .isRepeat = true}};
    plan.seconds = 40.0;
    plan.hasConverged = true;
    const Table table = makePlanTable(eightRuns(), plan);
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(textOf(table.rows[0]), "4.5|3.1 %|93 %|40 s|may be better than the best so far");
    EXPECT_EQ(textOf(table.rows[1]), "4|0.6 %|100 %|–|repeat: noise decides here");
    plan.runs[0].isExploration = true;
    EXPECT_EQ(
        textOf(makePlanTable(eightRuns(), plan).rows[0]),
        "4.5|3.1 %|93 %|40 s|exploration: may be better, but is less sure to give a result than asked for");
    EXPECT_EQ(describePlanTime(plan), "Together 2 runs, about 40 s.");
    EXPECT_EQ(describePlanEnd(plan, 0.004), "Stop here: no further run is expected to gain more than 0.4 %.");
    plan.hasConverged = false;
    plan.nextGain = 0.012;
    EXPECT_EQ(describePlanEnd(plan, 0.004),
              "The time ends before the gain does: the next run may gain 1.2 %.");
    EXPECT_EQ(describePlanEnd({}, 0.004), "The time is spent.");
}

TEST(PlanTables, TriedRunsHaveReasonAndOutcomeLatestFirst)
{
    const study::Study study = eightRuns();
    const optimize::BestSoFar best{.title = "speed",
                                   .unit = "1/s",
                                   .steps = {{.run = 5, .value = 50.0, .best = 50.0, .isBetter = true},
                                             {.run = 6, .best = 50.0, .failure = "out-of-memory"}}};
    const Table table = makeTriedTable(
        study,
        {{.run = 5, .gain = 0.05}, {.run = 6, .isConfirming = true, .runsProbability = 0.5}, {.run = 99}},
        best);
    ASSERT_EQ(table.rows.size(), 2U) << "a run that is gone has no row";
    EXPECT_EQ(textOf(table.rows[0]), "6|failed: out of memory|–||5|–|50 %|confirm the best settings");
    EXPECT_EQ(textOf(table.rows[1]), "5|done|50|best so far|4|5 %|100 %|may be better");
}

TEST(PlanTables, SolutionsHaveTheirProbabilityWhereRunsFailed)
{
    study::Study study = eightRuns();
    const std::vector<optimize::Solution> solutions{{.overall = 0.9, .settings = {{"a", 4.0}}}};
    const auto hasColumn = [&] {
        const Table table = makeSolutionTable(study, solutions);
        return std::ranges::count(table.columns, "P(runs)", &Column::title) == 1;
    };
    EXPECT_TRUE(hasColumn());
    std::erase_if(study.runs, [](const study::Run& run) { return run.failure.has_value(); });
    EXPECT_FALSE(hasColumn());
}

} // namespace
} // namespace quadric::report
