// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/table_text.h"
#include "core/report/tables/model_tables.h"
#include "core/study/document/document.h"

#include <gmock/gmock.h>

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

TEST(StationaryPoint, isTypesetWhereThePageIs)
{
    model::Canonical canonical;
    canonical.factors = {"gpus"};
    canonical.point = Eigen::VectorXd::Constant(1, 6.0);
    canonical.actual = {119224.0};
    EXPECT_NE(describeStationary(canonical, {}).find("(gpus 119224)"), std::string::npos);
    EXPECT_NE(describeStationary(canonical, {}, text::Typography::Typeset).find("(gpus 119\u202F224)"),
              std::string::npos);
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

} // namespace

} // namespace quadric::report::test
