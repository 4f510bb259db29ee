// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/printed_number.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::run {
namespace {

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

} // namespace
} // namespace quadric::run
