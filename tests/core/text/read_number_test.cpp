// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/read_number.h"

#include <gtest/gtest.h>

namespace quadric::text {
namespace {

TEST(ReadNumber, TakesWholeNumbersOnly)
{
    EXPECT_EQ(readNumber(" +1.5e3 ", '.'), 1500.0);
    EXPECT_EQ(readNumber("\u22122.5", '.'), -2.5) << "a real minus, as tables of Quadric have it";
    EXPECT_EQ(readNumber(".5", '.'), 0.5);
    EXPECT_EQ(readNumber("-0,25", ','), -0.25);
    for (const char* text : {"", "-", ".", "1.5x", "nan", "inf", "1e999", "0x10", "--1", "1,5", "1 2", "one"})
        EXPECT_FALSE(readNumber(text, '.')) << text;
}

TEST(ReadNumber, TakesGroupsOfThreeAndNoOthers)
{
    for (const char* text :
         {"1,234,567", "1 234 567", "1'234'567", "1\u2009234\u2009567", "1\u202F234\u202F567"})
        EXPECT_EQ(readNumber(text, '.'), 1234567.0) << text;
    EXPECT_EQ(readNumber("12.345,75", ','), 12345.75);
    for (const char* text : {"1234,567", "0,123", "1,23", "1,234 567", "1,,234", ",123", "1,2345"})
        EXPECT_FALSE(readNumber(text, '.')) << text;
    EXPECT_FALSE(readNumber("1.5", ','));
}

TEST(ReadNumber, TakesUnitsApart)
{
    const auto read = [](const char* text) {
        return readNumberWithUnit(text, '.').value_or(NumberWithUnit{});
    };
    EXPECT_EQ(read("80.57 %").value, 80.57);
    EXPECT_EQ(read("80.57%").unit, "%");
    EXPECT_EQ(read("1.2e3 img/s").value, 1200.0);
    EXPECT_EQ(read("1.2e3 img/s").unit, "img/s");
    EXPECT_EQ(read("1,234 \u00B5s").value, 1234.0);
    for (const char* text : {"12", "8bit", "fast", "12 34", "%", "x 3 s"})
        EXPECT_FALSE(readNumberWithUnit(text, '.')) << text;
}

} // namespace
} // namespace quadric::text
