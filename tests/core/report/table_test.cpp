// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/table_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace quadric::report::test {

namespace {

constexpr auto kTypeset = text::Typography::Typeset;

TEST(Cells, getTheDigitsOfTheirKind)
{
    EXPECT_EQ(formatCell({}), "–");
    EXPECT_EQ(formatCell("words"), "words");
    EXPECT_EQ(formatCell(7), "7");
    EXPECT_EQ(formatCell(makeCell(1234.5678)), "1235");
    EXPECT_EQ(formatCell(makeCell(45.254834, Digits::Setting)), "45.2548");
    EXPECT_EQ(formatCell(makeCell(2.0, Digits::Ratio)), "2.00");
    EXPECT_EQ(formatCell(makeCell(0.9996, Digits::Share)), "0.9996");
    EXPECT_EQ(formatCell(makeCell(0.812, Digits::Desirability)), "0.81");
    EXPECT_EQ(formatCell(makeCell(1e-9, Digits::Probability)), "< 0.0001");
    EXPECT_EQ(formatCell(makeCell(0.9996, Digits::Percent)), "99.96 %");
    EXPECT_EQ(formatCell(makeEstimateCell(1234.5678, 0.12)), "1234.57");
    EXPECT_EQ(formatCell(Bounded{1234.0, 1178.0, 1290.0}), "1234 ± 56");
    EXPECT_EQ(formatCell(Range{-1.2, 3.4, " %"}), "-1.2 to 3.4 %");
    EXPECT_EQ(formatCell(Range{-1.2, 3.4, " %"}, text::Typography::Typeset), "−1.2 to 3.4 %");
    EXPECT_EQ(formatCell(TermName{"A*B^2"}), "A*B^2");
}

TEST(Cells, areTypesetOnPaper)
{
    EXPECT_EQ(formatCell(makeCell(-12345.6), kTypeset), "−12\u202F346");
    EXPECT_EQ(formatCell(TermName{"A*B^2"}, kTypeset), "A × B²");
    EXPECT_EQ(formatCell(12345, kTypeset), "12\u202F345");
}

TEST(Cells, ofNumbersThatAreNoneSayNothing)
{
    EXPECT_EQ(formatCell(makeCell(std::nullopt)), "–");
    EXPECT_EQ(formatCell(makeCell(std::numeric_limits<double>::infinity())), "–");
    EXPECT_FALSE(findNumber(makeCell(std::numeric_limits<double>::quiet_NaN())));
    EXPECT_FALSE(findNumber("words"));
    EXPECT_EQ(findNumber(7), 7.0);
    EXPECT_EQ(findNumber(Bounded{2.0, 1.0, 3.0}), 2.0);
}

TEST(Terminal, alignsNumbersRightAndTextLeft)
{
    const Table table{
        .columns = {{"name", {}, ColumnKind::Text},
                    {"value", {}, ColumnKind::Number, {}, "µs"},
                    {"unit", {}, ColumnKind::Text}},
        .rows = {{"a", makeCell(4550.7), "img/s"}, {"långt", makeCell(89.0), "s"}, {"x", {}, ""}},
        .note = "One line."};
    EXPECT_EQ(renderTerminal(table), "name   value (µs)  unit\n"
                                     "a            4551  img/s\n"
                                     "långt          89  s\n"
                                     "x               –  \n"
                                     "One line.\n");
}

} // namespace

} // namespace quadric::report::test
