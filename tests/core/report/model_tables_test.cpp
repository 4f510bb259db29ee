// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/table.h"
#include "core/report/tables/joint_tables.h"
#include "core/report/tables/model_tables.h"

#include <gmock/gmock.h>

#include <cmath>

namespace quadric::report::test {
namespace {

using ::testing::HasSubstr;

/// y = 3 + 2x on five points with known errors 1, −1, 0, −1, 1: Sxx = 10, SSE = 4, s² = 4/3.
model::Fit lineFit()
{
    study::Study study;
    study.name = "line";
    study.factors = {{.name = "x", .low = -2, .high = 2}};
    study.responses = {{.name = "y"}};
    const double errors[] = {1, -1, 0, -1, 1};
    for (int i = 0; i < 5; ++i) {
        const double x = i - 2;
        study::Run run{.id = i + 1, .order = i + 1, .status = study::RunStatus::Done};
        run.settings["x"] = x;
        run.results["y"] = 3 + 2 * x + errors[i];
        study.runs.push_back(run);
    }
    return model::fitResponse(study, "y", {.model = "linear"});
}

std::vector<std::string> textsOf(const std::vector<Cell>& row)
{
    std::vector<std::string> texts;
    for (const Cell& cell : row)
        texts.push_back(formatCell(cell));
    return texts;
}

TEST(CoefficientTable, hasTwoDigitsOfTheStandardError)
{
    // Coded x/2: estimate 4, se = √(4/3 / (10/4)) = 0.7303, t = 5.477, t(0.975, 3) = 3.1824.
    const Table table = makeCoefficientTable(lineFit());
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(textsOf(table.rows[1]), (std::vector<std::string>{"x", "4.00", "0.73", "5.48", "0.012", "0.012",
                                                                "1.68", "6.32", "1.00"}));
    EXPECT_EQ(table.columns[6].title, "95 % low");
}

TEST(AnovaTable, endsWithTheTotal)
{
    const Table table = makeAnovaTable(lineFit());
    const auto total = std::ranges::find_if(
        table.rows, [](const auto& row) { return formatCell(row[0]).find("otal") != std::string::npos; });
    ASSERT_NE(total, table.rows.end());
    EXPECT_EQ(findNumber((*total)[1]), 4.0);
    EXPECT_NEAR(*findNumber((*total)[2]), 44.0, 1e-9); // 2²·10 + 4
}

TEST(AnovaTable, showsNoRoundingErrors)
{
    model::Fit fit;
    fit.anova = {{"Model", 1, 40.0, 40.0, {}, {}, {}}, {"Residual", 3, 1.455e-11, 4.85e-12, {}, {}, {}}};
    EXPECT_EQ(formatCell(makeAnovaTable(fit).rows[1][2]), "0");
    EXPECT_EQ(formatCell(makeAnovaTable(fit).rows[1][3]), "0");
}

TEST(FitTable, saysWhatIsNotDefined)
{
    model::Fit fit;
    fit.response = "y";
    for (const auto& row : makeFitTable(fit).rows)
        for (const std::string& text : textsOf(row))
            EXPECT_TRUE(text.find("nan") == std::string::npos && text.find("inf") == std::string::npos)
                << text;
}

TEST(StationaryPoint, isNoFindingOutsideTheRegion)
{
    model::Canonical canonical;
    canonical.factors = {"gpus"};
    canonical.point = Eigen::VectorXd::Constant(1, 6.0);
    canonical.actual = {119224.0};
    EXPECT_NE(describeStationary(canonical, {}).find("(gpus 119224)"), std::string::npos);
}

TEST(EffectTable, namesItsLimitInTheNote)
{
    EXPECT_THAT(makeEffectTable(lineFit()).note, HasSubstr("|t| = 3.182"));
    EXPECT_EQ(describeEffectLimit({"lenth", 2.0, {}, 4.0, 0.5}),
              "Lenth: margin of error 2, simultaneous margin of error 4, pseudo standard error 0.5.");
    EXPECT_EQ(describeEffectLimit({}), "");
}

TEST(CaseTable, hasOneRowARun)
{
    const Table table = makeCaseTable(lineFit());
    ASSERT_EQ(table.rows.size(), 5U);
    EXPECT_NEAR(*findNumber(table.rows[0][4]), 1.0, 1e-12); // residual
    EXPECT_NEAR(*findNumber(table.rows[0][5]), 0.6, 1e-12); // leverage 1/5 + 4/10
    EXPECT_EQ(formatCell(table.rows[2][4]), "0.000");       // rounding is no residual
    const auto shown = [](const Cell& cell) { return std::stod(formatCell(cell)); };
    for (const std::vector<Cell>& row : table.rows)
        EXPECT_NEAR(shown(row[2]) - shown(row[3]), shown(row[4]), 1e-9); // observed − fitted, as it is read
}

/// Residuals far smaller than the results keep their digits.
TEST(CaseTable, showsSmallResiduals)
{
    model::Fit fit = lineFit();
    fit.diagnostics.resize(2);
    fit.diagnostics[0].observed = 9.351234;
    fit.diagnostics[0].fitted = 9.350876;
    fit.diagnostics[0].residual = 0.000358;
    fit.diagnostics[1].observed = 7.100021;
    fit.diagnostics[1].fitted = 7.100379;
    fit.diagnostics[1].residual = -0.000358;
    const Table table = makeCaseTable(fit);
    const auto shown = [](const Cell& cell) { return std::stod(formatCell(cell)); };
    for (std::size_t i = 0; i < 2; ++i) {
        const std::vector<Cell>& row = table.rows[i];
        EXPECT_NEAR(shown(row[4]) / fit.diagnostics[i].residual, 1.0, 0.05);
        EXPECT_NEAR(shown(row[2]) - shown(row[3]), shown(row[4]), 2e-5);
    }
}

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
