// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/printed_number.h"
#include "core/run/proposal/pattern_proposal.h"
#include "core/run/recipe/output_parse.h"
#include "core/run/recipe/result_pattern.h"
#include "core/run/words/run_proposals.h"
#include "core/study/document/document.h"

#include <QTemporaryDir>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace quadric::run {
namespace {

using ::testing::HasSubstr;

std::variant<Result, study::Failure> readY(const std::string& pattern, const std::string& output)
{
    return parseOutput({.kind = study::ParseSpec::Kind::Regex, .patterns = {{"y", pattern}}}, output);
}

/// The value; or the kind and message of the failure; or "nothing".
std::string readText(const std::string& pattern, const std::string& output)
{
    const auto outcome = readY(pattern, output);
    if (const auto* failure = std::get_if<study::Failure>(&outcome))
        return failure->kind + ": " + failure->message;
    const Result& result = std::get<Result>(outcome);
    return result.responses.contains("y") ? study::toText(result.responses.at("y")) : "nothing";
}

TEST(ResultPattern, ReadsTheNumberAmongText)
{
    EXPECT_EQ(readText("throughput: {number}", "throughput: 616.2 img/s\n"), "616.2");
    EXPECT_EQ(readText("throughput:{number}img/s", "throughput:   616.2   img/s\n"), "616.2");
    EXPECT_EQ(readText("acc (top-1): {number} %", "acc (top-1): 80.57 %\n"), "80.57") << "brackets are text";
    EXPECT_EQ(readText("\"loss\": {number}", "{\"loss\": -1.5e-3, \"n\": 2}\n"), "-0.0015");
    EXPECT_EQ(readText("{number} img/s", "264.2 img/s at 3 GHz\n"), "264.2");
    EXPECT_EQ(readText("{number}", "warm\n1,234.5\n"), "1234.5");
    EXPECT_EQ(readText("y={number}", "10% y=1\r20% y=2\r30% y=3\r\n"), "3") << "a progress bar";
}

TEST(ResultPattern, TakesTheLastOfSeveralMatches)
{
    EXPECT_EQ(readText("loss {number}", "epoch 1 loss 5\nepoch 2 loss 4 loss 3\nend\n"), "3");
    EXPECT_EQ(readText("loss {number}", "loss 3\nval_loss 7\n"), "3") << "not in the midst of a word";
    EXPECT_EQ(readText("loss {number}", "none\n"), "nothing");
}

TEST(ResultPattern, ReadsEverySpellingByDefault)
{
    const std::vector<std::pair<const char*, const char*>> spellings = {{"1.2e3", "1200"},
                                                                        {"-5", "-5"},
                                                                        {"-1.5E+2", "-150"},
                                                                        {"1,234.5", "1234.5"},
                                                                        {"1 234.5", "1234.5"},
                                                                        {"1_234", "1234"},
                                                                        {"80.57%", "80.57"},
                                                                        {"80.57 %", "80.57"},
                                                                        {"1\u00a0"
                                                                         "234",
                                                                         "1234"},
                                                                        {".5", "0.5"},
                                                                        {"12", "12"},
                                                                        {"+7", "7"},
                                                                        {"\u2212"
                                                                         "2",
                                                                         "-2"},
                                                                        {"0.25s", "0.25"}};
    for (const char* pattern : {"y: {number}", "y: ([0-9.]+)", "y: *([0-9.]+)", R"(y:\s*(\d+\.?\d*))",
                                R"(y: (\S+))", R"(y: ([\d.]+))"}) {
        for (const auto& [text, value] : spellings) {
            const std::string output = "x: 3\ny: " + std::string(text) + "\nend 9\n";
            const bool isCutByBlank =
                std::string_view(pattern) == R"(y: (\S+))" && std::string_view(text) == "0.25s";
            const bool startsWithPoint = std::string_view(text) == ".5" &&
                                         std::string_view(pattern).find("d+\\.") != std::string_view::npos;
            if (isCutByBlank || startsWithPoint)
                continue;
            EXPECT_EQ(readText(pattern, output), value) << pattern << " on " << text;
        }
    }
}

TEST(ResultPattern, NeverReadsAPartSilently)
{
    EXPECT_THAT(readText("y: ([0-9.]+).*", "y: 1.2e3\n"), HasSubstr("“1.2” is only a part of “1.2e3”"));
    EXPECT_THAT(readText("y:.*?(5)$", "y: -5\n"), HasSubstr("is only a part of “-5”"));
    EXPECT_THAT(readText("y.*([0-9.]+)", "y: 12.5\n"), HasSubstr("“5” is only a part of “12.5”"));
    EXPECT_THAT(readText("y: {number}", "y: 12.3k\n"), HasSubstr("write {number}k"));
    EXPECT_EQ(readText("y: {number}k", "y: 12.3k\n"), "12.3");
    for (const char* text : {"2024-01-02", "3/10", "12:34", "1.2.3", "0x1F", "1,5,7", "1.5 × 10^3"})
        EXPECT_THAT(readText("y: {number}", std::string("y: ") + text + "\n"), HasSubstr("bad-output"))
            << text;
    EXPECT_EQ(readText("epoch {number}/", "epoch 3/10\n"), "3") << "what the pattern says is meant";
}

TEST(ResultPattern, LeavesColumnsApart)
{
    EXPECT_EQ(readText(R"(^\s*\S+\s+(\d+))", " 10 200 300\n"), "200");
    EXPECT_EQ(readText(R"(^[^,]*,([^,]*))", "12,345,678\n"), "345");
    EXPECT_EQ(readText(R"(^(\d+),)", "12,345\n"), "12");
    EXPECT_EQ(readText(R"(size=\((\d+))", "size=(64,128)\n"), "64");
    EXPECT_THAT(readText(R"(^(\d+))", "12,345\n"), HasSubstr("may be one number or two"));
}

TEST(ResultPattern, TakesTheGroupThatMatched)
{
    EXPECT_EQ(readText("a: ([0-9.]+)|b: ([0-9.]+)", "a: 1\nb: 2\n"), "2");
}

TEST(ResultPattern, ReadsAMebibyteOfOutputInTime)
{
    std::string output = "y: 7\n";
    while (output.size() < kMostOutputBytes - 100)
        output += "step 12/345 loss 0.25 at 99.5 % of 3,456.7 ms\n";
    EXPECT_EQ(readText("y: {number}", output), "7");
    EXPECT_EQ(readText("nothing {number}", output), "nothing");
}

TEST(ResultPattern, SaysThatAResultIsNotFinite)
{
    EXPECT_EQ(readText("loss: {number}", "loss: 0.5\nloss: nan\n"),
              "non-finite: y is nan, not a finite number");
    EXPECT_EQ(readText("loss: ([0-9.]+)", "loss: 0.5\nloss: nan\n"),
              "non-finite: y is nan, not a finite number");
    EXPECT_THAT(readText("loss: {number}", "loss: -inf\n"), HasSubstr("non-finite"));
}

TEST(ResultPattern, IsCheckedBeforeItIsUsed)
{
    EXPECT_EQ(findPatternProblem("y: {number}"), "");
    EXPECT_EQ(findPatternProblem("y: ([0-9.]+)"), "");
    EXPECT_EQ(findPatternProblem("x{2,3} {optimizer}"), "") << "braces are no place";
    EXPECT_THAT(findPatternProblem("  "), HasSubstr("there is no pattern"));
    EXPECT_THAT(findPatternProblem("y: ([0-9.]+"), HasSubstr("is not a regular expression"));
    EXPECT_THAT(findPatternProblem("y: {nubmer}"), HasSubstr("Did you mean {number}?"));
    EXPECT_THAT(findPatternProblem("{number} to {number}"), HasSubstr("more than once"));
}

std::vector<double> valuesIn(const char* line)
{
    std::vector<double> values;
    for (const PrintedNumber& number : findPrintedNumbers(QString::fromUtf8(line)))
        values.push_back(number.value);
    return values;
}

using Values = std::vector<double>;

TEST(PrintedNumber, IsReadInEverySpelling)
{
    const std::vector<std::pair<const char*, double>> spellings = {{"264.2", 264.2},
                                                                   {"-5", -5.0},
                                                                   {"+5.5", 5.5},
                                                                   {"\u2212"
                                                                    "3.5",
                                                                    -3.5},
                                                                   {".5", 0.5},
                                                                   {"-.5", -0.5},
                                                                   {"12.", 12.0},
                                                                   {"1.2e3", 1200.0},
                                                                   {"1.2E-3", 0.0012},
                                                                   {"-1e+06", -1e6},
                                                                   {"1.5D+03", 1500.0},
                                                                   {"1,234.5", 1234.5},
                                                                   {"1,234", 1234.0},
                                                                   {"1,234,567", 1234567},
                                                                   {"-1,234.5e2", -123450},
                                                                   {"1_234", 1234.0},
                                                                   {"1_234_567.5", 1234567.5},
                                                                   {"1'234.5", 1234.5},
                                                                   {"1\u00a0"
                                                                    "234.5",
                                                                    1234.5},
                                                                   {"1\u202f"
                                                                    "234",
                                                                    1234.0},
                                                                   {"1.234,5", 1234.5},
                                                                   {"0,85", 0.85},
                                                                   {"0,125", 0.125},
                                                                   {"3,14159", 3.14159},
                                                                   {"007", 7.0},
                                                                   {"1e5", 1e5}};
    for (const auto& [text, value] : spellings) {
        const std::string line = std::string("throughput: ") + text + " img/s";
        EXPECT_EQ(valuesIn(line.c_str()), Values{value}) << line;
    }
}

TEST(PrintedNumber, IsGroupedByBlanksBehindALabelOnly)
{
    EXPECT_EQ(valuesIn("throughput: 1 234.5 img/s"), Values{1234.5});
    EXPECT_EQ(valuesIn("throughput = 12 345 678"), Values{12345678.0});
    EXPECT_EQ(valuesIn("  10 200 300"), (Values{10, 200, 300})) << "columns of a table";
    EXPECT_EQ(valuesIn("throughput: 64 12"), (Values{64, 12}));
    EXPECT_EQ(valuesIn("throughput: 1024 128"), (Values{1024, 128})) << "a group has at most three digits";
}

TEST(PrintedNumber, StandsApartInListsDatesAndWords)
{
    EXPECT_EQ(valuesIn("shape=(64,128)"), (Values{64, 128}));
    EXPECT_EQ(valuesIn("[1,5,7]"), (Values{1, 5, 7}));
    EXPECT_EQ(valuesIn("2024-01-02"), (Values{2024, 1, 2})) << "no minus signs";
    EXPECT_EQ(valuesIn("1-2"), (Values{1, 2}));
    EXPECT_TRUE(findPrintedNumbers(QStringLiteral("gpu0")).front().isInWord);
    EXPECT_FALSE(findPrintedNumbers(QStringLiteral("80.57%")).front().isInWord);
    EXPECT_TRUE(valuesIn("no numbers, information, nano").empty());
}

TEST(PrintedNumber, MayBeNotFinite)
{
    EXPECT_TRUE(std::isnan(valuesIn("loss: nan").front()));
    EXPECT_TRUE(std::isnan(valuesIn("loss: NaN,").front()));
    EXPECT_EQ(valuesIn("loss: -inf"), Values{-HUGE_VAL});
    EXPECT_EQ(valuesIn("loss: Infinity"), Values{HUGE_VAL});
}

TEST(PrintedNumber, IsDoubtfulInSpellingsThatAreNotRead)
{
    const std::vector<const char*> lines = {"mask: 0x1F",      "time: 12:34",
                                            "version: 1.2.3",  "rate: 1.5 \u00d7 10\u207b\u2077",
                                            "rate: 1.5x10^-7", "speed 1 234.5"};
    for (const char* line : lines)
        EXPECT_NE(findPrintedNumbers(QString::fromUtf8(line)).front().doubt, "") << line;
    EXPECT_EQ(findPrintedNumbers(QStringLiteral("epoch 3: loss 5")).front().doubt, "");
}

/// The pattern for the number with this text, the nth of them.
std::string proposeFor(const QString& output, const char* text, int skip = 0)
{
    const QStringList lines = outputLines(output);
    for (qsizetype i = 0; i < lines.size(); ++i)
        for (const PrintedNumber& number : findPrintedNumbers(lines[i]))
            if (lines[i].mid(number.start, number.length) == QLatin1String(text) && skip-- == 0)
                return proposePattern(lines, {i, number});
    return "not printed";
}

std::string readBack(const std::string& pattern, const QString& output)
{
    const PatternFinding finding = findLastNumber(pattern, output);
    return !finding.isFound ? "nothing" : finding.problem + finding.text.toStdString();
}

TEST(PatternProposal, TakesTheWordBeforeTheNumber)
{
    EXPECT_EQ(proposeFor("throughput: 264.2 img/s\n", "264.2"), "throughput: {number}");
    EXPECT_EQ(proposeFor("12:03:11 INFO loss = 0.25\n", "0.25"), "loss = {number}");
    EXPECT_EQ(proposeFor("loss=0.25,acc=80.5\n", "80.5"), "acc={number}");
    EXPECT_EQ(proposeFor("{\"loss\": 0.25, \"acc\": 80.5}\n", "80.5"), "\"acc\": {number}");
    EXPECT_EQ(proposeFor("acc (top-1): 80.57 %\n", "80.57"), "(top-1): {number}");
    EXPECT_EQ(proposeFor("step 100/1000 loss -1.5e-3 acc 80\n", "-1.5e-3"), "loss {number}");
    EXPECT_EQ(proposeFor("the speed is 3.5 m/s\n", "3.5"), "speed is {number}");
    EXPECT_EQ(proposeFor("| val_acc | 80.5 |\n", "80.5"), "val_acc | {number}");
}

TEST(PatternProposal, TakesTheUnitWhereNoWordStandsBefore)
{
    EXPECT_EQ(proposeFor("264.2 img/s\n", "264.2"), "{number} img/s");
    EXPECT_EQ(proposeFor("10 epochs, 264.2 img/s\n", "10"), "{number} epochs,");
}

TEST(PatternProposal, TakesMoreWordsUntilItIsTheOne)
{
    const QString output = QStringLiteral("test acc 79.5\ntrain acc 80\n");
    EXPECT_EQ(proposeFor(output, "79.5"), "test acc {number}");
    EXPECT_EQ(proposeFor(output, "80"), "acc {number}");
}

TEST(PatternProposal, MeansTheLastOfLinesThatSayTheSame)
{
    const QString output = QStringLiteral("epoch 1 loss 3.5\nepoch 2 loss 2.5\nepoch 3 loss 1.5\n");
    const std::string pattern = proposeFor(output, "3.5");
    EXPECT_EQ(pattern, "loss {number}");
    EXPECT_EQ(readBack(pattern, output), "1.5");
}

TEST(PatternProposal, ReadsColumnsOfATable)
{
    const QString output =
        QStringLiteral("epoch  loss  acc\n    1   0.5   70.5\n    2   0.25  80.25\nbye 1 2\n");
    const std::string pattern = proposeFor(output, "80.25");
    EXPECT_EQ(readBack(pattern, output), "80.25") << pattern;
    EXPECT_EQ(readBack(pattern, "epoch  loss  acc\n   10   0.125 90.5\n"), "90.5") << pattern;
    const QString csv = QStringLiteral("epoch,loss,acc\n1,0.5,70.5\n2,0.25,80.25\n");
    const std::string column = proposeFor(csv, "0.25");
    EXPECT_EQ(readBack(column, csv), "0.25") << column;
}

TEST(PatternProposal, ReadsBackWhatWasClicked)
{
    const QStringList outputs = {
        QStringLiteral(
            "[1] throughput: 1,234.5 img/s (gpu0 at 99 %)\nval acc 80.57% loss -0.25\ntime 12.5s\n"),
        QStringLiteral("a 1 b 2 a 3 b 4\n"), QStringLiteral("x=1e-3; y = 2.5E+06 ; z:-7\n")};
    for (const QString& output : outputs) {
        const QStringList lines = outputLines(output);
        for (qsizetype i = 0; i < lines.size(); ++i) {
            for (const PrintedNumber& number : findPrintedNumbers(lines[i])) {
                if (number.isInWord)
                    continue;
                const std::string pattern = proposePattern(lines, {i, number});
                EXPECT_EQ(readBack(pattern, output), lines[i].mid(number.start, number.length).toStdString())
                    << pattern;
            }
        }
    }
}

TEST(NamedNumber, FollowsTheNameOfTheResponse)
{
    const QStringList lines =
        outputLines("Throughput 1: 3.5\nval-acc (top1) = 80.5 of 100\nmythroughput 9\n");
    const auto throughput = findNamedNumber(lines, "throughput");
    ASSERT_TRUE(throughput);
    EXPECT_EQ(throughput->line, 0);
    const auto accuracy = findNamedNumber(lines, "val_acc");
    ASSERT_TRUE(accuracy);
    EXPECT_EQ(accuracy->number.value, 80.5);
    EXPECT_FALSE(findNamedNumber(lines, "loss"));
}

study::Run runWith(int id, double batch)
{
    return {.id = id, .settings = {{"batch", batch}, {"precision", std::string("bf16")}}};
}

RunProposal proposalFor(const study::Run& run)
{
    return {.run = run.id,
            .settings = study::writeSettings(run.settings),
            .gain = 0.031,
            .runsProbability = 0.93,
            .seconds = 41.0,
            .isRepeat = true};
}

TEST(RunProposals, AreReadAsTheyWereWritten)
{
    const QTemporaryDir folder;
    const std::filesystem::path document = std::filesystem::path(folder.path().toStdString()) / "s.quadric";
    EXPECT_TRUE(readProposals(document).empty());
    const study::Run run = runWith(16, 64.0);
    appendProposals(document, {.runs = {proposalFor(run)}, .spent = 12.5, .budget = 1200.0});
    RunProposal confirming{.run = 17, .purpose = RunProposal::Purpose::Confirmation, .settings = "{}"};
    appendProposals(document, {.runs = {confirming}, .spent = 60.0, .budget = 1200.0});
    appendProposals(document, {.end = "Stop here.", .spent = 90.0, .budget = 1200.0});
    const std::vector<ProposalRecord> records = readProposals(document);
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[0].spent, 12.5);
    EXPECT_EQ(records[0].budget, 1200.0);
    ASSERT_EQ(records[0].runs.size(), 1U);
    EXPECT_EQ(records[0].runs[0].gain, 0.031);
    EXPECT_EQ(records[0].runs[0].runsProbability, 0.93);
    EXPECT_EQ(records[0].runs[0].seconds, 41.0);
    EXPECT_TRUE(records[0].runs[0].isRepeat);
    EXPECT_EQ(records[1].runs[0].purpose, RunProposal::Purpose::Confirmation);
    EXPECT_EQ(records[2].end, "Stop here.");
    EXPECT_TRUE(isProposed(records[0].runs[0], run));
    EXPECT_FALSE(isProposed(records[0].runs[0], runWith(16, 65.0))) << "another run with its number";
    EXPECT_FALSE(isProposed(records[0].runs[0], runWith(15, 64.0)));
}

TEST(RunProposals, LinesThatAreNoneOfOursAreLeftOut)
{
    const QTemporaryDir folder;
    const std::filesystem::path document = std::filesystem::path(folder.path().toStdString()) / "s.quadric";
    appendProposals(document, {.end = "Stop here."});
    std::ofstream(proposalsPath(document), std::ios::app)
        << "no JSON\n{\"runs\": 3}\n[]\n{\"end\": \"Later\", \"spent\"";
    appendProposals(document, {.end = "Again."}); // behind a torn line
    appendProposals(document, {.end = "Last."});
    const std::vector<ProposalRecord> records = readProposals(document);
    ASSERT_GE(records.size(), 2U);
    EXPECT_EQ(records.front().end, "Stop here.");
    EXPECT_EQ(records.back().end, "Last.");
}

} // namespace
} // namespace quadric::run
