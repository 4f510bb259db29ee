// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/recognize.h"
#include "core/exchange/import/table_import.h"

#include "core/exchange/export/formats.h"
#include "core/exchange/table/delimited.h"
#include "core/model/fit/fit.h"
#include "core/study/document/document.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <fstream>

namespace quadric::exchange {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ImportedStudy import(const std::string& text)
{
    const TextGrid grid = readDelimited(text, "table.csv");
    return studyOf(grid, guessMapping(grid), "table.csv");
}

/// 2² with a center run, blank in one result, a categorical factor and a note.
const std::string kTable = "Run;GPUs [count];batch (images);precision;speed (img/s);note\n"
                           "1;8;32;bf16;100,5;first\n"
                           "2;16;32;fp32;190,25;\n"
                           "3;8;64;fp32;110;\n"
                           "4;16;64;bf16;;crashed\n";

TEST(TableImport, GuessesRolesUnitsAndTypes)
{
    const ImportedStudy imported = import(kTable);
    const study::Study& study = imported.study;
    ASSERT_EQ(study.factors.size(), 3U);
    EXPECT_EQ(study.factors[0].name, "GPUs");
    EXPECT_EQ(study.factors[0].unit, "count");
    EXPECT_EQ(study.factors[0].type, study::FactorType::Integer);
    EXPECT_EQ(study.factors[0].low, 8);
    EXPECT_EQ(study.factors[0].high, 16);
    EXPECT_THAT(study.factors[2].categories, ElementsAre("bf16", "fp32"));
    ASSERT_EQ(study.responses.size(), 1U);
    EXPECT_EQ(study.responses[0].name, "speed");
    EXPECT_EQ(study.responses[0].unit, "img/s");
    EXPECT_DOUBLE_EQ(study.runs[1].results.at("speed"), 190.25);
    EXPECT_EQ(study.runs[3].status, study::RunStatus::Failed);
    EXPECT_EQ(study.runs[3].failure, (study::Failure{.kind = "crash", .message = "crashed"}));
    EXPECT_EQ(study.runs[0].provenance.source, study::Source::Imported);
    EXPECT_THAT(imported.warnings, Contains(HasSubstr("line 2: the remark \"first\" is not imported")));
}

/// The values of gpus hardly come back, but batch after it is a factor, and results do not stand before
/// settings.
TEST(TableImport, TakesWhatStandsBeforeAFactorForOne)
{
    const ImportedStudy full = import("gpus;batch;speed\n8;32;100,5\n16;64;180,2\n32;32;310\n8;64;130,1\n");
    ASSERT_EQ(full.study.factors.size(), 2U);
    EXPECT_EQ(full.study.factors[0].name, "gpus");
    ASSERT_EQ(full.study.responses.size(), 1U);
    EXPECT_EQ(full.study.responses[0].name, "speed");
    const ImportedStudy gap = import("heat;batch;speed\n8;32;100,5\n;64;180,2\n32;32;310\n9;64;130,1\n");
    EXPECT_EQ(gap.study.factors.size(), 1U);
    EXPECT_EQ(gap.study.responses.size(), 2U);
}

const study::Run& runIn(const ImportedStudy& imported, int id)
{
    return *study::findRun(imported.study, id);
}

TEST(TableImport, MakesRunsOfWhatCannotBeReadAndSaysSo)
{
    const ImportedStudy imported = import("Run #,batch,workers,throughput (img/s),acc [%],remarks\n"
                                          "1,8,1,100.5,80.1,\n2,16,1,OOM,,needs 40 GiB\n3,8,2,n/a,,\n"
                                          "4,16,2,fast,81.5,\n5,8,1,nonsense,-,\n6,16,2,\"1,210.5\",82 %,\n"
                                          "7,8,2,CUDA out of memory,NaN,\n8,,1,120.5,80.2,\n");
    ASSERT_EQ(imported.study.runs.size(), 7U);
    EXPECT_EQ(runIn(imported, 2).status, study::RunStatus::Failed);
    EXPECT_EQ(runIn(imported, 2).failure->kind, "out-of-memory");
    EXPECT_THAT(runIn(imported, 2).failure->message,
                HasSubstr("\"OOM\" in line 3 of table.csv: needs 40 GiB"));
    EXPECT_EQ(runIn(imported, 3).status, study::RunStatus::Pending);
    EXPECT_EQ(runIn(imported, 4).status, study::RunStatus::Done) << "its other result is there";
    EXPECT_EQ(runIn(imported, 4).results.count("throughput"), 0U);
    EXPECT_EQ(runIn(imported, 5).failure->kind, "bad-output");
    EXPECT_EQ(runIn(imported, 6).results.at("throughput"), 1210.5);
    EXPECT_EQ(runIn(imported, 6).results.at("acc"), 82.0);
    EXPECT_EQ(runIn(imported, 7).failure->kind, "out-of-memory");
    for (const char* said :
         {"line 3: column \"throughput (img/s)\" is \"OOM\"; the run counts as failed",
          "line 4: column \"throughput (img/s)\" is \"n/a\"; this result is missing",
          "line 5: column \"throughput (img/s)\" is \"fast\", expected a number; this result is missing",
          "line 6: column \"throughput (img/s)\" is \"nonsense\", expected a number; the run counts as "
          "failed",
          "line 9: column \"batch\" is empty, expected a number; the row is not imported"})
        EXPECT_THAT(imported.warnings, Contains(HasSubstr(said)));
}

TEST(TableImport, TakesUnitsFromTheCells)
{
    const ImportedStudy imported =
        import("a,b,acc,time (s)\n1,1,80.5 %,12 ms\n2,1,81%,13 ms\n1,2,79.5,14 ms\n2,2,82 %,15 ms\n");
    EXPECT_EQ(imported.study.responses[0].unit, "%");
    EXPECT_EQ(imported.study.responses[1].unit, "ms");
    EXPECT_EQ(runIn(imported, 2).results.at("acc"), 81.0);
    EXPECT_EQ(runIn(imported, 3).results.at("acc"), 79.5);
    EXPECT_THAT(imported.warnings, Contains(HasSubstr("some have none; all are read in \"%\"")));
    EXPECT_THAT(imported.warnings,
                Contains(HasSubstr("the numbers are in \"ms\" and the heading says \"s\"")));
}

TEST(TableImport, KnowsTheNumbersOfRunsByTheirHeadings)
{
    const auto rolesOf = [](const std::string& headings) {
        std::vector<ColumnRole> roles;
        const TextGrid grid =
            readDelimited(headings + "\n2,3,8,1.5\n1,2,8,2.5\n3,1,16,3.5\n4,4,16,4.5\n", "t.csv");
        for (const ColumnMapping& column : guessMapping(grid))
            roles.push_back(column.role);
        return roles;
    };
    using enum ColumnRole;
    EXPECT_THAT(rolesOf("Run #,Run order,a,y"), ElementsAre(Id, Order, Factor, Response));
    EXPECT_THAT(rolesOf("Std,Run,a,y"), ElementsAre(Id, Order, Factor, Response));
    EXPECT_THAT(rolesOf("StdOrder,RunOrder,a,y"), ElementsAre(Id, Order, Factor, Response));
    EXPECT_EQ(rolesOf("#,order,a,y").front(), Id);
    EXPECT_EQ(rolesOf("Experiment,order,a,y").front(), Id);
}

TEST(TableImport, KeepsLevelsThatLookLikeNothing)
{
    const ImportedStudy imported =
        import("compression,batch,y\nnone,8,1.5\n8,16,2.5\n16,8,3.5\nnone,16,4.5\n8,8,5.5\n16,16,6.5\n");
    ASSERT_EQ(imported.study.factors.size(), 2U);
    EXPECT_THAT(imported.study.factors[0].categories, ElementsAre("16", "8", "none"));
}

TEST(TableImport, NumbersRowsAnewWhereTheirNumbersAreNone)
{
    const ImportedStudy imported = import("run,a,b,y\nR1,1,1,1.5\nR2,2,1,2.5\nR3,1,2,3.5\nR4,2,2,4.5\n");
    EXPECT_EQ(runIn(imported, 3).results.at("y"), 3.5);
    EXPECT_THAT(imported.warnings, Contains(HasSubstr("column \"run\" is \"R3\", expected a whole number")));
}

TEST(TableImport, TakesDataFramesThatNumberTheirRowsFromZero)
{
    const ImportedStudy imported = import(",a,b,y\n0,1,1,1.5\n1,2,1,2.5\n2,1,2,3.5\n3,2,2,4.5\n");
    ASSERT_EQ(imported.study.factors.size(), 2U);
    EXPECT_EQ(runIn(imported, 4).results.at("y"), 4.5);
    EXPECT_THAT(imported.warnings, Contains("column \"#\" begins at 0; 1 is added to its numbers"));
}

TEST(TableImport, LeavesOutWhatStandsBelowTheRuns)
{
    const ImportedStudy imported =
        import("Run #;Temp [°C];Kat;Ausbeute [%];Bemerkung\n1;80;Pd;71,5;\n2;100;Pt;1.080,2;\n"
               "3;80;Pt;n. a.;\n4;100;Pd;80 %;\nMittel;;;79,1;\n");
    ASSERT_EQ(imported.study.factors.size(), 2U);
    ASSERT_EQ(imported.study.runs.size(), 4U);
    EXPECT_EQ(imported.study.factors[0].unit, "°C");
    EXPECT_EQ(runIn(imported, 2).results.at("Ausbeute"), 1080.2);
    EXPECT_EQ(runIn(imported, 3).status, study::RunStatus::Pending);
    EXPECT_THAT(imported.warnings,
                Contains(HasSubstr(
                    "line 6: column \"Temp [°C]\" is empty, expected a number; the row is not imported")));
}

TEST(TableImport, RefusesTablesWithoutARun)
{
    TextGrid grid = readDelimited(kTable, "table.csv");
    std::vector<ColumnMapping> mapping = guessMapping(grid);
    for (std::vector<std::string>& row : grid.rows)
        row[1] = "many";
    try {
        studyOf(grid, mapping, "table.csv");
        FAIL() << "a text was taken for a number";
    } catch (const ImportError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("table.csv: no row is a run; lines 2, 3, 4 and 5: column \"GPUs [count]\" "
                              "is \"many\", expected a number"));
    }
    for (ColumnMapping& column : mapping)
        column.role = ColumnRole::Ignored;
    EXPECT_THROW(studyOf(grid, mapping, "table.csv"), ImportError);
}

TEST(TableImport, FifteenRunsGiveTheirKnownR2)
{
    std::ifstream file(sourcePath("tests/references/resnet50-15-runs.json"));
    const auto data = nlohmann::json::parse(file);
    std::string text = "gpu_count,batch_per_gpu,gradient_compression,images_per_sec\n";
    for (const auto& run : data["runs"]) {
        const auto& settings = run["settings"];
        text += settings["gpu_count"].dump() + "," + settings["batch_per_gpu"].dump() + "," +
                settings["gradient_compression"].dump() + "," + run["results"]["images_per_sec"].dump() +
                "\n";
    }
    const model::Fit fit = model::fitResponse(import(text).study, "images_per_sec");
    ASSERT_TRUE(fit.isOk()) << fit.message;
    EXPECT_NEAR(*fit.r2, 0.998, 0.0005);
}

TEST(TableImport, SplitsNamesAndUnits)
{
    EXPECT_EQ(nameAndUnit("batch (images)"), std::pair(std::string("batch"), std::string("images")));
    EXPECT_EQ(nameAndUnit("speed [img/s]"), std::pair(std::string("speed"), std::string("img/s")));
    EXPECT_EQ(nameAndUnit("time / ms"), std::pair(std::string("time"), std::string("ms")));
    EXPECT_EQ(nameAndUnit("plain"), std::pair(std::string("plain"), std::string()));
    EXPECT_EQ(nameAndUnit("(odd)"), std::pair(std::string("(odd)"), std::string()));
}

TEST(TableImport, HeadingsThatDifferInTheirUnitsAloneStayApart)
{
    const auto named = [](const std::string& headings) {
        std::vector<std::pair<std::string, std::string>> names;
        for (const ColumnMapping& column : guessMapping(readDelimited(headings + "\n1,2,3\n", "table.csv")))
            names.emplace_back(column.name, column.unit);
        return names;
    };
    using Names = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(named("a (n),speed (img/s),speed (ms)"),
              (Names{{"a", "n"}, {"speed (img/s)", ""}, {"speed (ms)", ""}}));
    EXPECT_EQ(named("loss,loss (val),a"), (Names{{"loss", ""}, {"loss (val)", ""}, {"a", ""}}));
    EXPECT_EQ(named("x (a),x,x (a) (b)"), (Names{{"x (a)", ""}, {"x", ""}, {"x (a) (b)", ""}}));
    EXPECT_EQ(named("\" (s)\",b,c").front(), (std::pair<std::string, std::string>(" (s)", "")));
}

TEST(TableImport, RefusesFactorsWithoutARange)
{
    const TextGrid grid = readDelimited("a,b,y\nx,0,1\nz,2,3\nx,0,2\nz,2,4\n", "table.csv");
    const auto refusal = [&](std::size_t column, study::FactorType type, study::Scale scale) {
        std::vector<ColumnMapping> mapping = guessMapping(grid);
        mapping[column].type = type;
        mapping[column].scale = scale;
        try {
            studyOf(grid, mapping, "table.csv");
        } catch (const ImportError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal(0, study::FactorType::Discrete, study::Scale::Linear),
                HasSubstr("the factor \"a\" has no number in any row"));
    EXPECT_THAT(refusal(1, study::FactorType::Integer, study::Scale::Log2),
                HasSubstr("the factor \"b\" is 0 in a row, expected more than 0"));
}

TEST(TableImport, CountsTheCenterRunsThatTheTableNames)
{
    const ImportedStudy imported = import("kind,a,b,p,y\ndesign,1,1,x,1\ndesign,9,1,z,2\ndesign,1,5,z,3\n"
                                          "center,5,3,x,4\ncenter,5,3,z,4\ndesign,8,5,x,5\n");
    EXPECT_EQ(imported.study.design.centerRuns, 2) << "at a level of p, which has no middle";
    EXPECT_THAT(recognize(imported.study).sentence, HasSubstr("4 runs and 2 center runs"));
}

TEST(TableImport, NamesWordsThatMeanNothing)
{
    const ImportedStudy imported = import("kind,status,a,y\ncorner,ok,1,2\ndesign,done,2,4\ndesign,done,1,3\n"
                                          "design,done,2,5\n");
    EXPECT_THAT(imported.warnings, Contains("column \"kind\": \"corner\" is ignored"));
    EXPECT_THAT(imported.warnings, Contains("column \"status\": \"ok\" is ignored"));
}

std::string messageOf(const std::string& text)
{
    try {
        readDelimited(text, "table.csv");
    } catch (const ImportError& error) {
        return error.what();
    }
    return {};
}

TEST(Delimited, ReadsQuotesAndLineBreaksInsideThem)
{
    const TextGrid grid = readDelimited("\xEF\xBB\xBF"
                                        "a,\"b \"\"x\"\"\",c\r\n1,\"two\nlines, one cell\",3\r\n\r\n4,,6\n",
                                        "t");
    EXPECT_THAT(grid.headers, ElementsAre("a", "b \"x\"", "c"));
    ASSERT_EQ(grid.rows.size(), 2U);
    EXPECT_THAT(grid.rows[0], ElementsAre("1", "two\nlines, one cell", "3"));
    EXPECT_THAT(grid.rows[1], ElementsAre("4", "", "6"));
    EXPECT_EQ(grid.lines[1], 5);
}

TEST(Delimited, FindsSeparatorAndDecimalMark)
{
    const TextGrid german = readDelimited("a;b\n1,5;2\n3;4,25\n", "t");
    EXPECT_EQ(german.separator, ';');
    EXPECT_TRUE(german.decimalComma);
    EXPECT_TRUE(german.notes.empty());
    const TextGrid tabs = readDelimited("a\tb\n1.5\t2,0\n", "t");
    EXPECT_EQ(tabs.separator, '\t');
    EXPECT_FALSE(tabs.decimalComma) << "a point is used elsewhere";
    const TextGrid pipes = readDelimited("a|b|c\n1|2|3\n", "t");
    EXPECT_EQ(pipes.separator, '|');
}

TEST(Delimited, SaysWhenACommaIsAmbiguous)
{
    EXPECT_THAT(readDelimited("a;b\n1,234;2\n", "t").notes, ElementsAre(HasSubstr("decimal comma")));
    EXPECT_TRUE(readDelimited("a;b\n1,234;2\n", "t", {.separator = ';', .decimalComma = true}).notes.empty());
    const TextGrid american = readDelimited("a,b\n\"1,234\",2\n", "t");
    EXPECT_FALSE(american.decimalComma);
    EXPECT_THAT(american.notes, ElementsAre(HasSubstr("read as thousands")));
}

TEST(Delimited, NamesLineAndExpectation)
{
    EXPECT_THAT(messageOf("a,b\n1,2\n3\n"), HasSubstr("table.csv: line 3 has 1 cell, expected 2"));
    EXPECT_THAT(messageOf("a,b\n1,\"2\n"), HasSubstr("line 2: a quote is opened and never closed"));
    EXPECT_THAT(messageOf("a,a\n1,2\n"), HasSubstr("\"a\" appears twice"));
    EXPECT_THAT(messageOf("a,\n1,2\n"), HasSubstr("line 1: column 2 has no heading"));
    EXPECT_THAT(messageOf("a,b\n"), HasSubstr("only one line"));
    EXPECT_THAT(messageOf(""), HasSubstr("empty"));
}

TEST(Delimited, TakesExcelsSeparatorLine)
{
    const TextGrid grid = readDelimited("sep=;\r\na;b\r\n1;2,5\r\n", "t.csv");
    EXPECT_EQ(grid.headers, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(grid.lines, std::vector{3}) << "as the file counts them";
    EXPECT_TRUE(grid.notes.empty());
    EXPECT_EQ(readDelimited("sep=|\na|b\n1|2\n", "t.csv").separator, '|');
    EXPECT_EQ(readDelimited("sep=,b\n1,2\n", "t.csv").headers.front(), "sep=") << "a heading";
}

TEST(Delimited, TellsATitleFromTheHeadings)
{
    for (const char* title : {"Runs of May\n", "Runs of May;;\n\n", "\"Runs; of May\"\n"}) {
        const TextGrid grid = readDelimited(std::string(title) + "a;b;c\n1;2;3\n4;5;6\n", "t.csv");
        EXPECT_EQ(grid.headers, (std::vector<std::string>{"a", "b", "c"})) << title;
        ASSERT_EQ(grid.notes.size(), 1U);
        EXPECT_THAT(grid.notes.front(), HasSubstr("line 1 is a title, not headings: \"Runs"));
    }
    EXPECT_EQ(readDelimited("x\n1\n2\n", "t.csv").headers, std::vector<std::string>{"x"});
    EXPECT_EQ(readDelimited(",x\na,1\nb,2\n", "t.csv").headers.size(), 2U);
}

TEST(Delimited, TakesNumbersWholeOrNotAtAll)
{
    EXPECT_EQ(numberIn(" +1.5e3 ", false), 1500.0);
    EXPECT_EQ(numberIn("-0,25", true), -0.25);
    for (const char* text : {"", "1.5x", "nan", "inf", "1,5", "0x10", "1 00", "1,00,000"})
        EXPECT_FALSE(numberIn(text, false)) << text;
    EXPECT_FALSE(numberIn("1.5", true));
}

TEST(Delimited, ReadsThousandsHoweverTheyAreSetApart)
{
    for (const char* table : {"a;b\n1.234,5;2,5\n", "a\tb\n\"1,234.5\"\t2.5\n", "a;b\n1 234,5;2,5\n",
                              "a,b\n1'234.5,2.5\n", "a;b\n1\u2009234,5;2,5\n", "a,b\n1\u00A0234.5,2.5\n"}) {
        const TextGrid grid = readDelimited(table, "t");
        EXPECT_EQ(numberIn(grid.rows[0][0], grid.decimalComma), 1234.5) << table;
        EXPECT_EQ(numberIn(grid.rows[0][1], grid.decimalComma), 2.5) << table;
        EXPECT_TRUE(grid.notes.empty()) << table;
    }
}

TEST(Delimited, KeepsApostrophesThatWereThere)
{
    const std::vector<std::vector<std::string>> rows = {{"a", "b"}, {"'=x", "''-y"}, {"'tis", "="}};
    const TextGrid grid = readDelimited(writeDelimited(rows, ','), "t");
    EXPECT_EQ(grid.rows[0], rows[1]);
    EXPECT_EQ(grid.rows[1], rows[2]);
}

TEST(Delimited, NeutralisesFormulasAndReadsThemBack)
{
    const std::vector<std::vector<std::string>> rows = {
        {"=cmd", "b"}, {"=1+2", "-3.5"}, {"@SUM(A1)", "+4"}, {"-x", "plain, \"quoted\""}};
    const std::string text = writeDelimited(rows, ',');
    EXPECT_EQ(text, "'=cmd,b\n'=1+2,-3.5\n'@SUM(A1),+4\n'-x,\"plain, \"\"quoted\"\"\"\n");
    const TextGrid grid = readDelimited(text, "t");
    EXPECT_EQ(grid.headers, rows[0]);
    for (std::size_t i = 0; i < grid.rows.size(); ++i)
        EXPECT_EQ(grid.rows[i], rows[i + 1]);
}

} // namespace
} // namespace quadric::exchange
