// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/table_text.h"
#include "core/report/tables/joint_tables.h"
#include "core/study/document/document.h"

#include <gmock/gmock.h>

namespace quadric::report::test {

namespace {

/// y = 10 + 2a + 4b exactly, z = 5 − 3a + a², on a grid of three levels from −1 to 1; z has no b, w no
/// result.
std::vector<model::Fit> gridFits()
{
    study::Study study;
    study.factors = {{.name = "a", .low = -1, .high = 1}, {.name = "b", .low = -1, .high = 1}};
    study.responses = {{.name = "y", .unit = "s"}, {.name = "z"}, {.name = "w"}};
    for (int i = 0; i < 9; ++i) {
        const double a = i % 3 - 1, b = i / 3 - 1;
        study::Run run{.id = i + 1, .order = i + 1, .status = study::RunStatus::Done};
        run.settings = {{"a", a}, {"b", b}};
        run.results = {{"y", 10 + 2 * a + 4 * b}, {"z", 5 - 3 * a + a * a}};
        study.runs.push_back(run);
    }
    study.model = {{"y", "a + b"}, {"z", "a + a^2"}};
    return model::fitStudy(study);
}

std::vector<std::vector<std::string>> textsOf(const Table& table)
{
    std::vector<std::vector<std::string>> rows;
    for (const auto& row : table.rows) {
        rows.emplace_back();
        for (const Cell& cell : row)
            rows.back().push_back(formatCell(cell));
    }
    return rows;
}

} // namespace

TEST(JointTables, haveEachTermOnceAndNothingWhereAModelLacksIt)
{
    const Table table = makeJointCoefficientTable(gridFits());
    EXPECT_EQ(formatHeading(table.columns[1]), "y (s)");
    EXPECT_EQ(table.columns.size(), 5U); // w has no model
    std::vector<std::vector<std::string>> estimates;
    for (const std::vector<std::string>& row : textsOf(table))
        estimates.push_back({row[0], row[1], row[3]});
    EXPECT_EQ(estimates,
              (std::vector<std::vector<std::string>>{
                  {"intercept", "10", "5"}, {"a", "2", "-3"}, {"a^2", "–", "1"}, {"b", "4", "–"}}));
}

TEST(JointTables, giveEachEstimateItsP)
{
    const Table table = makeJointCoefficientTable(gridFits());
    ASSERT_EQ(table.columns.size(), 5U);
    for (const auto& row : table.rows)
        EXPECT_EQ(row.size(), 5U);
}

/// Residuals of u are e, those of v −2e.
TEST(JointTables, sayWhichResidualsGoTogether)
{
    study::Study study;
    study.factors = {{.name = "a", .low = -1, .high = 1}};
    study.responses = {{.name = "u"}, {.name = "v"}, {.name = "none"}};
    const std::vector<double> e = {1, -1, -1, 1, 0, 0};
    for (int i = 0; i < 6; ++i) {
        const double a = (i % 2) * 2.0 - 1.0;
        study::Run run{.id = i + 1, .order = i + 1, .status = study::RunStatus::Done};
        run.settings = {{"a", a}};
        run.results = {{"u", 3 * a + e[static_cast<std::size_t>(i)]},
                       {"v", 5 - a - 2 * e[static_cast<std::size_t>(i)]}};
        study.runs.push_back(run);
    }
    study.model = {{"u", "linear"}, {"v", "linear"}};
    const Table table = makeResidualCorrelationTable(model::fitStudy(study));
    EXPECT_EQ(textsOf(table),
              (std::vector<std::vector<std::string>>{{"u", "–", "-1.00"}, {"v", "-1.00", "–"}}));
    EXPECT_TRUE(makeResidualCorrelationTable({}).rows.empty());
}

TEST(JointTables, haveARowForEachModel)
{
    const Table table = makeJointFitTable(gridFits());
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(formatCell(table.rows[0][0]), "y (s)");
    EXPECT_EQ(formatCell(table.rows[0][1]), "3");
    EXPECT_EQ(formatCell(table.rows[0][2]), "6");
}

} // namespace quadric::report::test
