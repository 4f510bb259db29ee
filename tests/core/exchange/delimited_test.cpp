// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/table/delimited.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::exchange {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
