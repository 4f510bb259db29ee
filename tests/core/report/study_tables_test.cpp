// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/answer_findings.h"
#include "core/report/table.h"
#include "core/report/tables/answer_tables.h"
#include "core/report/tables/run_tables.h"
#include "core/report/tables/study_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace quadric::report::test {

namespace {

study::Study twoRuns()
{
    study::Study study;
    study.factors = {
        {.name = "gpus",
         .unit = "GPUs",
         .type = study::FactorType::Integer,
         .low = 8,
         .high = 64,
         .multipleOf = 8},
        {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16"}}};
    study.responses = {{.name = "speed", .unit = "img/s", .goal = study::Goal::Target, .target = 80.0}};
    study.runs = {{.id = 1, .order = 2, .kind = study::RunKind::Center, .status = study::RunStatus::Done},
                  {.id = 2,
                   .order = 1,
                   .kind = study::RunKind::Augment,
                   .status = study::RunStatus::Failed,
                   .failure = study::Failure{"out-of-memory", "…"}}};
    study.runs[0].settings = {{"gpus", 45.254834}, {"precision", std::string("bf16")}};
    study.runs[0].results["speed"] = 1234.5;
    study.runs[0].spread["speed"] = 2.1;
    return study;
}

std::string row(const Table& table, std::size_t index)
{
    std::string text;
    for (const Cell& cell : table.rows[index])
        text += formatCell(cell) + "|";
    return text;
}

TEST(RunTable, saysSettingsResultsWithSpreadAndStatus)
{
    const Table table = makeRunTable(twoRuns());
    EXPECT_EQ(row(table, 0), "1|2|augmented|–|–|–|failed: out of memory|");
    EXPECT_EQ(row(table, 1), "2|1|center|45.2548|bf16|1234.5 ± 2.1|done|");
    EXPECT_EQ(formatHeading(table.columns[3]), "gpus (GPUs)");
    EXPECT_EQ(table.note, "± in this table is the spread, from inside the run.");
}

/// Every value of a column is told from the others and from 0, with as many decimals as the longest needs.
TEST(RunTable, showsSmallResultsAsWhatTheyAre)
{
    study::Study study = twoRuns();
    study.runs[0].spread.clear();
    study.runs[1].status = study::RunStatus::Done;
    const auto shown = [&](double first, double second) {
        study.runs[0].results["speed"] = first;
        study.runs[1].results["speed"] = second;
        const Table table = makeRunTable(study);
        return formatCell(table.rows[1][5]) + " " + formatCell(table.rows[0][5]);
    };
    EXPECT_EQ(shown(0.0002, 0.00013), "0.00020 0.00013");
    EXPECT_EQ(shown(0.25, 0.5), "0.25 0.50");
    EXPECT_EQ(shown(64004.0, 8001.0), "64004 8001");
    EXPECT_NE(shown(2e-4, 2e-6).find("2"), std::string::npos);
    EXPECT_EQ(shown(2e-4, 2e-6).find("0.000000"), std::string::npos);
}

TEST(FactorTable, saysRangesAndLevels)
{
    const Table table = makeFactorTable(twoRuns());
    EXPECT_EQ(row(table, 0), "gpus|GPUs|integer|8|64|linear|multiples of 8|");
    EXPECT_EQ(row(table, 1), "precision||categorical|–|–|–|fp32, bf16|");
}

/// An optimum that is its own best loses the rounding of a difference: nothing.
TEST(OptimumTable, aLossHasTheDigitsOfItsPrediction)
{
    optimize::ResponseAtOptimum at;
    at.response = "speed";
    at.predicted.mean = 2711.4;
    at.predicted.prediction = model::Interval{800.0, 9000.0};
    at.bestAlone = 2711.4;
    at.sacrifice = 2.274e-12;
    optimize::Optimum optimum;
    optimum.responses = {at};
    const Table table = makeOptimumTable(twoRuns(), optimum);
    EXPECT_EQ(formatCell(table.rows[0][5]), "2700");
    EXPECT_EQ(formatCell(table.rows[0][6]), "0");
}

TEST(ResponseTable, saysGoalsAndLimits)
{
    EXPECT_EQ(row(makeResponseTable(twoRuns()), 0),
              "speed|img/s|target 80 img/s|from data|from data|1|none|");
}

TEST(SolutionTable, ranksSettings)
{
    const Table table =
        makeSolutionTable(twoRuns(), {{.overall = 0.99964,
                                       .settings = {{"gpus", 64.0}, {"precision", std::string("fp32")}},
                                       .isOptimum = false}});
    EXPECT_EQ(row(table, 0), "1|0.9996|different|64|fp32|");
}

TEST(LimitTable, neverSaysAllForLess)
{
    optimize::AllLimits limits;
    limits.responses = {{"speed", 1000.0, {}, 0.9996}};
    EXPECT_EQ(row(makeLimitTable(limits), 0), "speed|1000|–|99.96 %|");
}

constexpr auto kTypeset = text::Typography::Typeset;

TEST(Cells, getTheDigitsOfTheirKind)
{
    EXPECT_EQ(formatCell({}), "–");
    EXPECT_EQ(formatCell("words"), "words");
    EXPECT_EQ(formatCell(7), "7");
    EXPECT_EQ(formatCell(makeCell(1234.5678)), "1235");
    EXPECT_EQ(formatCell(makeCell(45.254834, Digits::Setting)), "45.2548");
    EXPECT_EQ(formatCell(makeCell(2.0, Digits::Ratio)), "2.00");
    EXPECT_EQ(formatCell(makeCell(0.9996, Digits::Share)), "0.9996");
    EXPECT_EQ(formatCell(makeCell(0.812, Digits::Desirability)), "0.81");
    EXPECT_EQ(formatCell(makeCell(1e-9, Digits::Probability)), "< 0.0001");
    EXPECT_EQ(formatCell(makeCell(0.9996, Digits::Percent)), "99.96 %");
    EXPECT_EQ(formatCell(makeEstimateCell(1234.5678, 0.12)), "1234.57");
    EXPECT_EQ(formatCell(Bounded{1234.0, 1178.0, 1290.0}), "1234 ± 56");
    EXPECT_EQ(formatCell(Range{-1.2, 3.4, " %"}), "-1.2 to 3.4 %");
    EXPECT_EQ(formatCell(Range{-1.2, 3.4, " %"}, text::Typography::Typeset), "−1.2 to 3.4 %");
    EXPECT_EQ(formatCell(TermName{"A*B^2"}), "A*B^2");
}

TEST(Cells, areTypesetOnPaper)
{
    EXPECT_EQ(formatCell(makeCell(-12345.6), kTypeset), "−12\u202F346");
    EXPECT_EQ(formatCell(TermName{"A*B^2"}, kTypeset), "A × B²");
    EXPECT_EQ(formatCell(12345, kTypeset), "12\u202F345");
}

TEST(Cells, ofNumbersThatAreNoneSayNothing)
{
    EXPECT_EQ(formatCell(makeCell(std::nullopt)), "–");
    EXPECT_EQ(formatCell(makeCell(std::numeric_limits<double>::infinity())), "–");
    EXPECT_FALSE(findNumber(makeCell(std::numeric_limits<double>::quiet_NaN())));
    EXPECT_FALSE(findNumber("words"));
    EXPECT_EQ(findNumber(7), 7.0);
    EXPECT_EQ(findNumber(Bounded{2.0, 1.0, 3.0}), 2.0);
}

TEST(Terminal, alignsNumbersRightAndTextLeft)
{
    const Table table{
        .columns = {{"name", {}, ColumnKind::Text},
                    {"value", {}, ColumnKind::Number, {}, "µs"},
                    {"unit", {}, ColumnKind::Text}},
        .rows = {{"a", makeCell(4550.7), "img/s"}, {"långt", makeCell(89.0), "s"}, {"x", {}, ""}},
        .note = "One line."};
    EXPECT_EQ(renderTerminal(table), "name   value (µs)  unit\n"
                                     "a            4551  img/s\n"
                                     "långt          89  s\n"
                                     "x               –  \n"
                                     "One line.\n");
}

} // namespace

} // namespace quadric::report::test

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
