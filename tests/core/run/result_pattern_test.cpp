// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/result_pattern.h"

#include "core/run/recipe/output_parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

} // namespace
} // namespace quadric::run
