// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"
#include "report_studies.h"

#include "core/model/select/model_choice.h"
#include "core/report/table.h"
#include "core/report/tables/model_tables.h"
#include "core/study/document/document.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace quadric::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ReportCommandTest : public CommandTest {
protected:
    /// What a program says of a file of the folder.
    std::string output(const std::string& program, const std::string& name) const
    {
        const std::string out = file("program.out");
        const std::string command = program + " '" + file(name) + "' > '" + out + "' 2>&1";
        EXPECT_EQ(std::system(command.c_str()), 0) << command << "\n" << content("program.out");
        return content("program.out");
    }

    static int countOf(const std::string& what, const std::string& text)
    {
        int count = 0;
        for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
            ++count;
        return count;
    }

    void writeFiveFactors() const
    {
        write(fiveFactors(), "five.quadric");
        ASSERT_EQ(quadric({"design", "five.quadric", "--type", "box-behnken", "--center", "6"}).status, 0);
        write(finished(study::loadStudy(file("five.quadric")).study), "five.quadric");
    }
};

} // namespace

TEST_F(ReportCommandTest, IsASoundDocumentWithBookmarks)
{
    writeFiveFactors();
    for (const auto& [page, preset] : {std::pair{"a4", "full"}, {"letter", "summary"}}) {
        const CommandResult result =
            quadric({"report", "five.quadric", "-o", "five.pdf", "--page", page, "--title", "A title",
                     "--author", "Ada Löwe", "--preset", preset});
        ASSERT_EQ(result.status, 0) << result.err;
        EXPECT_THAT(output("qpdf --check", "five.pdf"), HasSubstr("No syntax or stream encoding errors"));
        if (std::string(preset) == "full") {
            EXPECT_THAT(output("qpdf --json=2 --json-key=outlines", "five.pdf"), HasSubstr("Provenance"));
        }
        const std::string info = output("pdfinfo", "five.pdf");
        EXPECT_THAT(info, HasSubstr("A title"));
        EXPECT_THAT(info, HasSubstr("Ada Löwe"));
        EXPECT_THAT(info, HasSubstr("Creator:         Quadric"));
        EXPECT_THAT(info, HasSubstr(std::string(page) == "a4" ? "(A4)" : "(letter)"));
        EXPECT_THAT(output("pdffonts", "five.pdf"), Not(HasSubstr(" no  no  "))); // embedded, as a subset
    }
}

TEST_F(ReportCommandTest, TellsWhatHappenedToTheRuns)
{
    writeFiveFactors();
    ASSERT_EQ(quadric({"report", "five.quadric", "-o", "five.html", "--preset", "full"}).status, 0);
    const std::string html = content("five.html");
    EXPECT_THAT(html, HasSubstr("needs 71 GiB, 40 GiB are there"));
    EXPECT_THAT(html, HasSubstr("the network was down"));
    EXPECT_THAT(html, HasSubstr("other processes used 23 % of the machine"));
    EXPECT_THAT(html, HasSubstr("onfirmed at")); // "Confirmed" or "Not confirmed"
    EXPECT_THAT(html, Not(HasSubstr("SIMULATED DATA")));
}

TEST_F(ReportCommandTest, LeavesSectionsOut)
{
    const std::string study = example("resnet50-scaling.quadric");
    ASSERT_EQ(quadric({"report", study, "-o", "some.html", "--sections", "summary,runs"}).status, 0);
    EXPECT_THAT(content("some.html"), HasSubstr("Cautions"));
    EXPECT_THAT(content("some.html"), HasSubstr("Runs in the order of execution"));
    EXPECT_THAT(content("some.html"), Not(HasSubstr("Analysis of variance")));
    ASSERT_EQ(quadric({"report", study, "-o", "most.html", "--without", "summary,plots"}).status, 0);
    EXPECT_THAT(content("most.html"), Not(HasSubstr("Cautions")));
    EXPECT_THAT(content("most.html"), Not(HasSubstr("<svg")));
    EXPECT_THAT(content("most.html"), HasSubstr("Analysis of variance"));
    // The mark of simulated data is no section.
    EXPECT_THAT(content("most.html"), HasSubstr("SIMULATED DATA"));
}

/// Two pages of which the first has the answer, a page per response, and everything; whoever wrote it stands
/// on each page.
TEST_F(ReportCommandTest, ComesInThreeLengths)
{
    writeFiveFactors();
    std::vector<int> pages;
    for (const char* preset : {"summary", "engineering", "full"}) {
        ASSERT_EQ(
            quadric({"report", "five.quadric", "-o", "five.pdf", "--preset", preset, "--author", "Ada Löwe"})
                .status,
            0);
        const std::string info = output("pdfinfo", "five.pdf");
        pages.push_back(std::stoi(info.substr(info.find("Pages:") + 6)));
        const std::string text = output("sh -c 'pdftotext -layout \"$0\" -'", "five.pdf");
        EXPECT_GE(countOf("Ada Löwe", text), pages.back() + 1) << preset; // and below the title
        EXPECT_THAT(text, HasSubstr("Cautions"));
        EXPECT_EQ(text.find("more characters"), std::string::npos) << preset;
    }
    EXPECT_EQ(pages[0], 2);
    ASSERT_EQ(quadric({"report", "five.quadric", "-o", "usual.pdf"}).status, 0);
    EXPECT_THAT(output("pdfinfo", "usual.pdf"), testing::ContainsRegex("Pages: +2\n"));
    EXPECT_LE(pages[1], 14);
    EXPECT_GE(pages[2], 2 * pages[1]);
}

TEST_F(ReportCommandTest, TheSummaryHasTwoPagesAtMostWhateverTheStudy)
{
    for (const int factors : {3, 6})
        for (const int responses : {1, 3, 5}) {
            write(manyResponses(factors, responses), "some.quadric");
            ASSERT_EQ(quadric({"design", "some.quadric", "--type", "box-behnken", "--center", "3"}).status,
                      0);
            write(measuredByFormula(study::loadStudy(file("some.quadric")).study), "some.quadric");
            ASSERT_EQ(quadric({"report", "some.quadric", "-o", "some.pdf", "--preset", "summary"}).status, 0);
            EXPECT_THAT(output("pdfinfo", "some.pdf"), testing::ContainsRegex("Pages: +[12]\n"))
                << factors << " factors, " << responses << " responses";
        }
}

TEST_F(ReportCommandTest, TheSummaryHasNoSectionsToChoose)
{
    expectWrong({"report", example("resnet50-scaling.quadric"), "-o", "some.pdf", "--preset", "summary",
                 "--sections", "runs"},
                {"--preset summary has no sections"});
}

TEST_F(ReportCommandTest, SaysWhatWasExpected)
{
    const std::string study = example("resnet50-scaling.quadric");
    expectWrong({"report", study, "-o", "report.doc"}, {".pdf or .html"});
    expectWrong({"report", study, "-o", "report.pdf", "--without", "jokes"},
                {"\"jokes\", expected one of: summary"});
}

TEST_F(ReportCommandTest, OneThingIsCountedAsOne)
{
    ASSERT_EQ(quadric({"new", "one.quadric", "--factor", "x:0:1", "--response", "y:maximize", "--type",
                       "full-factorial"})
                  .status,
              0);
    ASSERT_EQ(quadric({"report", "one.quadric", "-o", "one.html", "--preset", "full"}).status, 0);
    EXPECT_THAT(content("one.html"), HasSubstr("1 factor, 1 response, 0 of 2 runs done."));
}

TEST_F(ReportCommandTest, AnEmptyExampleHasAReport)
{
    const std::string study = example("cpu-ranks.quadric");
    ASSERT_EQ(quadric({"report", study, "-o", "empty.pdf"}).status, 0);
    ASSERT_EQ(quadric({"report", study, "-o", "empty.html", "--sections", "summary"}).status, 0);
    EXPECT_THAT(content("empty.html"), HasSubstr("there is no best setting to name"));
    EXPECT_THAT(output("qpdf --check", "empty.pdf"), HasSubstr("No syntax or stream encoding errors"));
}

// The tables of a model hold the numbers of `analyze --json`, and the report sets every cell of them.

namespace {

/// In the order in which the report prints them.
std::vector<report::Table> modelTables(const model::Fit& fit)
{
    return {report::makeFitTable(fit),         report::makeOrderTable(model::compareOrders(fit)),
            report::makeAnovaTable(fit),       report::makeTermTable(fit),
            report::makeCoefficientTable(fit), report::makeActualCoefficientTable(fit),
            report::makeEffectTable(fit),      report::makeResidualTestTable(fit),
            report::makeCaseTable(fit)};
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
        const std::vector<model::Fit> fits = model::fitStudy(
            model::withChosenModels(study::loadStudy(path.front() == '/' ? path : file(path)).study));
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

TEST_F(ReportNumbersTest, FiveFactorsAndFourResponsesAreReportedInFull)
{
    write(fiveFactors(), "five.quadric");
    ASSERT_EQ(quadric({"design", "five.quadric", "--type", "box-behnken", "--center", "6"}).status, 0);
    write(finished(study::loadStudy(file("five.quadric")).study), "five.quadric");
    expectAllNumbers("five.quadric");
}

} // namespace quadric::test
