// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export/formats.h"
#include "core/exchange/import/audit.h"
#include "core/exchange/import/doehelper.h"
#include "study_fixtures.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace quadric::exchange {
namespace {

using study::testing::messageOf;
using study::testing::TemporaryFolder;
using study::testing::writeFile;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Markup, formulas, commands and paths in one text; `head` decides what it begins with.
std::string evil(const std::string& head)
{
    return head +
           "<script>alert(1)</script>\"'`|\\;=1+1\n=cmd|' /C calc'!A0\r\n@SUM(1)\t-2+3\n$(touch x)"
           "\\end{document}\\input{/etc/passwd}../../../etc/passwd%s{0}\x7f" +
           std::string(1, '\0') + "\u2028end";
}

/// The example with such texts wherever a study holds one, one of them very long.
study::Study evilStudy()
{
    study::Study study = study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    study.name = evil("=");
    study.description = evil("+") + std::string(500000, 'x');
    const std::string factor = study.factors[0].name, response = study.responses[0].name;
    study.factors[0].name = evil("=f");
    study.factors[0].unit = evil("@");
    study.responses[0].name = evil("-r");
    study.responses[0].unit = evil("\t");
    study.fixed[evil("=k")] = evil("=v");
    study.model.clear();
    study.constraints.clear();
    study.factors.push_back(
        {.name = evil("+c"), .type = study::FactorType::Categorical, .categories = {evil("=a"), evil("=b")}});
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        study::Run& run = study.runs[i];
        run.settings[study.factors[0].name] = run.settings.at(factor);
        run.settings.erase(factor);
        run.settings[study.factors.back().name] = study.factors.back().categories[i % 2];
        run.results[study.responses[0].name] = run.results.at(response);
        run.results.erase(response);
    }
    study.runs[0].status = study::RunStatus::Failed;
    study.runs[0].results.clear();
    study.runs[0].failure = study::Failure{.kind = evil("=x"), .message = evil("=m")};
    return study;
}

std::string written(const char* format)
{
    const study::Study study = evilStudy();
    return formatNamed(format)->write(study, model::fitStudy(study));
}

/// The cells as a program cuts the text that follows RFC 4180, whatever the separator.
std::vector<std::string> rawCells(const std::string& text, const std::string& separators)
{
    std::vector<std::string> cells(1);
    bool isQuoted = false;
    for (const char c : text) {
        if (c == '"')
            isQuoted = !isQuoted;
        else if (!isQuoted && (c == '\n' || separators.find(c) != std::string::npos))
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

TEST(Hostile, NoCellOfATableIsAFormulaWhateverTheSpreadsheetCutsAt)
{
    for (const char* format : {"csv", "tsv"}) {
        for (const char* separator : {",", ";", "\t", "|", ",;\t|"}) {
            for (const std::string& cell : rawCells(written(format), separator)) {
                const bool isHarmless = cell.empty() ||
                                        std::string("=+-@\t\r").find(cell[0]) == std::string::npos ||
                                        numberIn(cell, false);
                EXPECT_TRUE(isHarmless)
                    << format << " cut at \"" << separator << "\": " << cell.substr(0, 40);
            }
        }
    }
}

TEST(Hostile, TablesAreReadBackAsTheyWere)
{
    study::Study study = evilStudy();
    for (auto* text : {&study.factors[0].name, &study.responses[0].name, &study.factors.back().name})
        std::erase(*text, '\0');
    const TextGrid grid = readDelimited(delimitedRuns(study, ','), "evil.csv");
    const TextRows rows = runRows(study);
    EXPECT_EQ(grid.headers, rows[0]);
    EXPECT_EQ(grid.rows.size(), rows.size() - 1);
}

TEST(Hostile, TextsDoNotLeaveTheirLinesAndQuotesInScripts)
{
    for (const char* format : {"R", "py"}) {
        const std::string script = written(format);
        EXPECT_EQ(script.find('\0'), std::string::npos) << format;
        std::istringstream lines(script);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_FALSE(line.starts_with("=") || line.starts_with("@SUM") || line.starts_with("$(")) << line;
        }
    }
}

/// A script reads in the order in which a program reads it.
TEST(Hostile, WhatReordersTextIsAnEscapeInScriptsAndDocuments)
{
    study::Study study = evilStudy();
    study.name = "a\u202e\u2066\u200f\u061c\u0085\x1b[2Jz";
    study.factors[1].unit = study.name;
    study.runs[0].failure->message = study.name;
    for (const char* name : {"R", "py", "md", "tex"}) {
        const Format& format = *formatNamed(name);
        const std::string text = format.write(study, model::fitStudy(study));
        for (const char* control : {"\u202e", "\u2066", "\u200f", "\u061c", "\u0085", "\x1b"})
            EXPECT_EQ(text.find(control), std::string::npos) << format.name;
        const std::string escape = format.name == "tex"  ? "a\\textbackslash{}u202e"
                                   : format.name == "md" ? "a\\\\u202e"
                                                         : "a\\u202e";
        EXPECT_NE(text.find(escape), std::string::npos) << format.name << text;
    }
    EXPECT_EQ(study::parseStudy(formatNamed("json")->write(study, {}), "json").study.name, study.name);
}

TEST(Hostile, TextsAreTextsInDocuments)
{
    const std::string latex = written("tex");
    EXPECT_EQ(latex.find("\\input{"), std::string::npos);
    EXPECT_EQ(latex.find("\\end{document}"), std::string::npos);
    const std::string markdown = written("md");
    for (std::size_t at = markdown.find('<'); at != std::string::npos; at = markdown.find('<', at + 1))
        ASSERT_EQ(markdown[at - 1], '\\') << markdown.substr(at, 20);
    EXPECT_EQ(markdown.find("\n=cmd"), std::string::npos);
    const std::string text = written("json");
    EXPECT_EQ(study::parseStudy(text, "evil.json").study.factors[0].name, evilStudy().factors[0].name);
}

TEST(Hostile, TablesThatAreNoTablesAreRefusedInWords)
{
    const auto refusal = [](const std::string& text) {
        return messageOf<ImportError>([&] {
            const TextGrid grid = readDelimited(text, "t.csv");
            ImportedStudy imported = studyOf(grid, guessMapping(grid), "t.csv");
            checkImported(imported, "t.csv");
        });
    };
    EXPECT_THAT(refusal(std::string("a,y\n1,\0002\n", 9)), HasSubstr("line 2 contains a zero byte"));
    EXPECT_THAT(refusal("a,y\n1," + std::string(100000, '9') + "\n"), HasSubstr("a cell of 100000 bytes"));
    EXPECT_THAT(refusal("a" + std::string(5000, ',') + "\n1" + std::string(5000, ',') + "\n"),
                HasSubstr("5001 columns, expected at most 1000"));
    EXPECT_THAT(refusal("a,y\n\"1,2\n"), HasSubstr("never closed"));
    EXPECT_THAT(refusal(std::string(70000, '"')), Not(HasSubstr("\"\"\"\"\"\"\"\"\"\"")));
    EXPECT_FALSE(refusal("\xff\xfe").empty());
}

TEST(Hostile, NumbersAtTheEdgeDoNotBreakTheDesign)
{
    const TextGrid grid = readDelimited("a,b,y\n-1e308,1,1\n1e308,2,1e308\n-1e308,2,-1e308\n1e308,1,2\n"
                                        "1e308,1,5e-324\n",
                                        "t.csv");
    std::vector<ColumnMapping> mapping = guessMapping(grid);
    mapping[0].role = mapping[1].role = ColumnRole::Factor;
    mapping[2].role = ColumnRole::Response;
    const auto refused = messageOf<ImportError>([&] {
        ImportedStudy imported = studyOf(grid, mapping, "t.csv");
        checkImported(imported, "t.csv");
        model::fitStudy(imported.study);
    });
    EXPECT_THAT(refused, HasSubstr("goes from -1e+308 to 1e+308"));
}

TEST(Hostile, TextInAnotherEncodingIsReadAndSaidSo)
{
    const TextGrid grid = readDelimited("L\xE4nge,y\n1,2\n2,3\n1,4\n2,5\n", "t.csv");
    EXPECT_EQ(grid.headers[0], "Länge");
    EXPECT_THAT(grid.notes, Contains(HasSubstr("Latin-1")));
}

TEST(Hostile, ConfigurationsAreDataWhateverTheyHold)
{
    EXPECT_FALSE(isDoehelperConfig(std::string(1000000, '[')));
    EXPECT_FALSE(isDoehelperConfig(std::string(500000, '{')));
    const TemporaryFolder folder;
    nlohmann::json config = {{"factors", {{{"name", "../../x"}, {"levels", {"-1e308", "1e308"}}}}},
                             {"responses", {{{"name", "<b>y</b>"}, {"weight", "NaN"}, {"objective", "=1"}}}},
                             {"fixed", {{"k", {{{"deep", {1, {2, {3}}}}}}}}},
                             {"settings", {{"seed", -5}, {"block_count", 1e300}}}};
    writeFile(folder / "config.json", config.dump());
    writeFile(folder / "design_matrix.json",
              R"({"runs": [{"block_id": 1e300, "factor_values": {"../../x": "-1e308"}},
                           {"block_id": -7, "factor_values": {"../../x": "1e308"}}]})");
    std::filesystem::create_directory(folder / "results");
    writeFile(folder / "results/run_99999999999999999999.json",
              R"({"<b>y</b>": 1e308, "parameters": {"../../x": 1e308}})");
    writeFile(folder / "results/deep.json", std::string(100000, '['));
    const auto refused = messageOf<std::exception>([&] {
        ImportedStudy imported = importDoehelper(folder / "config.json", folder / "results");
        EXPECT_THAT(imported.warnings, Contains(HasSubstr("deep.json: ")));
        checkImported(imported, "config.json");
    });
    EXPECT_THAT(refused, ::testing::AnyOf(::testing::IsEmpty(), HasSubstr("../../x")));
}

TEST(Hostile, ClaimsAreDataWhateverTheyHold)
{
    const study::Study study = evilStudy();
    const std::string name = nlohmann::json(study.responses[0].name).dump();
    const Claims claims = parseClaims(
        R"({"fits": [{"response": "nothing", "model": "A^99999 + ((((", "r2": -1e308},
                     {"response": )" +
            name + R"(, "model": "quadratic", "r2": 1e308, "r2_adj": -1e308,
                      "coefficients": {"<img src=x>": 1e308, "1": -0.0}}],
            "settings": [{"settings": {"a": 1, "b": 2, "c": 3, "d": "x"}, "values": {)" +
            name + R"(: 1e308, "no": 1}}],
            "scaling": {"<b>": "strong"}})",
        "claims.json");
    const std::vector<AuditItem> items = audit(study, claims);
    EXPECT_EQ(items.size(), 7U);
    EXPECT_THAT(
        messageOf<study::DocumentError>([] { parseClaims(R"({"fits": [{"response": 5}]})", "c.json"); }),
        HasSubstr("fits[0].response"));
}

} // namespace
} // namespace quadric::exchange
