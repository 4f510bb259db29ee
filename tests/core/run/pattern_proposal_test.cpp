// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/pattern_proposal.h"

#include "core/run/recipe/result_pattern.h"

#include <gtest/gtest.h>

namespace quadric::run {
namespace {

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

} // namespace
} // namespace quadric::run
