// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/text_table.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace quadric::app;

TEST(NumberText, HasSensibleDigits)
{
    EXPECT_EQ(numberText(0.0), "0");
    EXPECT_EQ(numberText(1234.5678), "1234.6");
    EXPECT_EQ(numberText(0.00123456), "0.0012346");
    EXPECT_EQ(numberText(123456789.0), "123456789");
    EXPECT_EQ(numberText(-2.5), "-2.5");
    EXPECT_EQ(numberText(1.5e-7, 3), "1.50e-07");
    EXPECT_EQ(numberText(2.5e12, 3), "2.50e+12");
    EXPECT_EQ(numberText(std::optional<double>()), "–");
}

TEST(NumberText, ShowsProbabilitiesAndDurations)
{
    EXPECT_EQ(probabilityText(0.04321), "0.0432");
    EXPECT_EQ(probabilityText(3e-9), "<0.0001");
    EXPECT_EQ(durationText(42.4), "42 s");
    EXPECT_EQ(durationText(200), "3 min 20 s");
    EXPECT_EQ(durationText(7500), "2 h 5 min");
}

TEST(TextTable, AlignsNumbersRightAndTextLeft)
{
    TextTable table({"name", "value", "unit"});
    table.addRow({std::string("a"), 4550.7, std::string("img/s")});
    table.addRow({std::string("long"), 89.0, std::string("µs")});
    table.addRow({std::string("x"), TextTable::cell(std::nullopt), std::string()});
    std::ostringstream out;
    table.print(out);
    EXPECT_EQ(out.str(), "name   value  unit\n"
                         "a     4550.7  img/s\n"
                         "long    89.0  µs\n"
                         "x          –  \n");
}

TEST(TextTable, KeepsSmallNumbersBesideLargeOnes)
{
    TextTable table({"v"});
    table.addRow({123456.0});
    table.addRow({0.000123});
    std::ostringstream out;
    table.print(out);
    EXPECT_NE(out.str().find("0.000123"), std::string::npos) << out.str();
}
