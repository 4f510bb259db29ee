// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a model hold the numbers of `analyze --json`, and the report sets every cell of them.
#include "command_fixture.h"
#include "report_studies.h"

#include "core/report/table_text.h"
#include "core/report/tables/model_tables.h"
#include "core/study/document/document.h"

#include <fstream>

namespace quadric::test {

namespace {

/// In the order in which the report prints them.
std::vector<report::Table> modelTables(const model::Fit& fit)
{
    return {report::makeFitTable(fit),          report::makeOrderTable(model::compareOrders(fit)),
            report::makeAnovaTable(fit),        report::makeTermTable(fit),
            report::makeCoefficientTable(fit),  report::makeActualCoefficientTable(fit),
            report::makeEffectTable(fit),       report::makeImportanceTable(fit),
            report::makeResidualTestTable(fit), report::makeCaseTable(fit)};
}

/// The largest number of a column of JSON, which tells what rounding is.
double largestOf(const Json& rows, const std::string& key)
{
    double largest = 0.0;
    for (const Json& row : rows)
        if (row[key].is_number())
            largest = std::max(largest, std::abs(row[key].get<double>()));
    return largest;
}

void expectCell(const report::Cell& cell, const Json& value, double largest)
{
    if (value.is_string()) {
        const auto* term = std::get_if<report::TermName>(&cell);
        EXPECT_EQ(term ? term->name : std::get<std::string>(cell), value.get<std::string>());
    } else if (value.is_null()) {
        EXPECT_TRUE(std::holds_alternative<std::monostate>(cell));
    } else {
        ASSERT_TRUE(report::findNumber(cell).has_value());
        EXPECT_NEAR(*report::findNumber(cell), value.get<double>(), 1e-11 * largest);
    }
}

/// Returns how many cells were compared.
int expectColumns(const report::Table& table, const Json& rows)
{
    int compared = 0;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const std::string& key = table.columns[column].key;
        if (key.empty())
            continue;
        const double largest = largestOf(rows, key);
        for (std::size_t row = 0; row < table.rows.size(); ++row, ++compared) {
            SCOPED_TRACE(table.id + ", " + key + ", row " + std::to_string(row));
            expectCell(table.rows[row][column], rows[row][key], largest);
        }
    }
    return compared;
}

std::string escaped(const std::string& text)
{
    std::string html;
    for (const char c : text)
        html += c == '<'   ? "&lt;"
                : c == '>' ? "&gt;"
                : c == '&' ? "&amp;"
                : c == '"' ? "&quot;"
                           : std::string(1, c);
    return html;
}

/// Goes behind the next occurrence of a text.
void expectNext(const std::string& html, std::size_t& at, const std::string& text)
{
    const std::size_t found = html.find(text, at);
    ASSERT_NE(found, std::string::npos) << text << " is not in the report after " << html.substr(at, 200);
    at = found + text.size();
}

void expectSet(const std::string& html, std::size_t& at, const report::Table& table)
{
    ASSERT_NO_FATAL_FAILURE(expectNext(html, at, "<caption>" + escaped(table.caption) + "</caption>"));
    for (const std::vector<report::Cell>& row : table.rows)
        for (const report::Cell& cell : row)
            ASSERT_NO_FATAL_FAILURE(
                expectNext(html, at, ">" + escaped(formatCell(cell, text::Typography::Typeset)) + "</td>"));
}

class ReportNumbersTest : public CommandTest {
protected:
    void expectAllNumbers(const std::string& path)
    {
        const CommandResult analysis = quadric({"analyze", path, "--json"});
        ASSERT_EQ(analysis.status, 0) << analysis.err;
        const CommandResult report =
            quadric({"report", path, "-o", "numbers.html", "--sections", "models,diagnostics"});
        ASSERT_EQ(report.status, 0) << report.err;
        std::ifstream stream(file("numbers.html"));
        const std::string html{std::istreambuf_iterator<char>(stream), {}};
        const Json analyzed = analysis.json();
        const std::vector<model::Fit> fits =
            model::fitStudy(study::loadStudy(path.front() == '/' ? path : file(path)).study);
        std::size_t at = 0;
        for (std::size_t i = 0; i < fits.size(); ++i)
            expectModel(fits[i], analyzed["responses"][i], html, at);
    }

    static void expectModel(const model::Fit& fit, const Json& analyzed, const std::string& html,
                            std::size_t& at)
    {
        int compared = 0;
        for (const report::Table& table : modelTables(fit)) {
            ASSERT_NO_FATAL_FAILURE(expectSet(html, at, table));
            if (analyzed.contains(table.id) && analyzed[table.id].is_array()) {
                ASSERT_EQ(table.rows.size(), analyzed[table.id].size()) << table.id;
                compared += expectColumns(table, analyzed[table.id]);
            }
        }
        EXPECT_GT(compared, static_cast<int>(8 * fit.coefficients.size() + 10 * fit.diagnostics.size()));
    }
};

} // namespace

TEST_F(ReportNumbersTest, TheExampleIsReportedInFull)
{
    expectAllNumbers(example("resnet50-scaling.quadric"));
}

TEST_F(ReportNumbersTest, FiveFactorsAndFourResponsesAreReportedInFull)
{
    write(fiveFactors(), "five.quadric");
    ASSERT_EQ(quadric({"design", "five.quadric", "--type", "box-behnken", "--center", "6"}).status, 0);
    write(finished(study::loadStudy(file("five.quadric")).study), "five.quadric");
    expectAllNumbers("five.quadric");
}

} // namespace quadric::test
