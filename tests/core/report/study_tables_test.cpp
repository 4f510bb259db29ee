// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/table_text.h"
#include "core/report/tables/answer_tables.h"
#include "core/report/tables/study_tables.h"

#include <gtest/gtest.h>

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
    limits.responses = {{"speed", 1000.0, {}, true, 0.9996}};
    EXPECT_EQ(row(makeLimitTable(limits), 0), "speed|1000|–|99.96 %|limit from the runs|");
}

TEST(NextRunTable, saysSharesInPercentAndGainsOfDesirabilityAsTheyAre)
{
    const std::vector<optimize::NextRun> runs = {
        {.settings = {{"gpus", 8.0}}, .gain = 0.0123, .overall = 0.5}};
    EXPECT_EQ(row(makeNextRunTable(twoRuns(), runs, optimize::RunCriterion::Variance), 0),
              "8|–|0.50|1.2 %||");
    EXPECT_EQ(row(makeNextRunTable(twoRuns(), runs, optimize::RunCriterion::Improvement), 0),
              "8|–|0.50|0.0123||");
}

} // namespace

} // namespace quadric::report::test
