// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace quadric::text::test {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(FormatPower, isRoundedButNeverToTheUsualPowerNorToCertainty)
{
    EXPECT_EQ(formatPower(0.3682), "37 %");
    EXPECT_EQ(formatPower(0.29), "29 %"); // 100 × 0.29 is 28.999…
    EXPECT_EQ(formatPower(0.797), "79 %");
    EXPECT_EQ(formatPower(0.8), "80 %");
    EXPECT_EQ(formatPower(0.9999), "> 99 %");
    EXPECT_EQ(formatPower(1.0), "100 %");
    EXPECT_EQ(formatPower(0.0), "0 %");
    EXPECT_EQ(formatPower(std::numeric_limits<double>::quiet_NaN()), "–");
}

TEST(Numbers, haveFourDigitsAndNeverFewerThanTheWholePart)
{
    EXPECT_EQ(formatNumber(1234.5678), "1235");
    EXPECT_EQ(formatNumber(123456.78), "123457");
    EXPECT_EQ(formatNumber(0.00123456), "0.001235");
    EXPECT_EQ(formatNumber(2.5), "2.5");
    EXPECT_EQ(formatNumber(-2.0), "-2");
    EXPECT_EQ(formatNumber(9.99996), "10");
}

TEST(Numbers, haveNoNegativeZero)
{
    EXPECT_EQ(formatNumber(0.0), "0");
    EXPECT_EQ(formatNumber(-0.0), "0");
    EXPECT_EQ(formatNumber(-0.004, 1.0), "0.0");
    EXPECT_EQ(formatDecimals(-0.004, 2), "0.00");
    EXPECT_EQ(formatDecimals(-0.006, 2), "-0.01");
    EXPECT_EQ(formatExactly(-0.0), "0");
    EXPECT_EQ(formatBriefly(-0.0), "0");
}

TEST(Numbers, takeTheirDigitsFromTheUncertainty)
{
    EXPECT_EQ(formatNumber(1234.5678, 0.123), "1234.57");
    EXPECT_EQ(formatNumber(1234.5678, 99.6), "1230"); // 99.6 has the two digits 1.0e2
    EXPECT_EQ(formatNumber(1234.5678, 12.3), "1235");
    EXPECT_EQ(formatNumber(1250.0, 250.0), "1250");
    EXPECT_EQ(formatNumber(1.455e-11, 0.5), "0.00"); // zero is meant
    EXPECT_EQ(formatNumber(2.0, 0.0), "2");          // no uncertainty at all
    EXPECT_EQ(formatNumber(2.0, kNan), "2");
    EXPECT_EQ(formatNumber(1.0, 0.0996), "1.00");
    EXPECT_EQ(formatNumber(1.5, 1e-30), "1.50000000000000"); // no more than a double holds
    EXPECT_EQ(formatNumber(1.5e-7, 2.34e-9), "1.500e-07");
}

TEST(Numbers, areWrittenAsPowersWhereTheyAreHugeOrTiny)
{
    EXPECT_EQ(formatNumber(999999999999.0), "999999999999");
    EXPECT_EQ(formatNumber(1e12), "1e+12");
    EXPECT_EQ(formatNumber(-2.5e-7), "-2.5e-07");
    EXPECT_EQ(formatNumber(1e-4), "0.0001");
    EXPECT_EQ(formatNumber(std::numeric_limits<double>::max()), "1.798e+308");
    EXPECT_EQ(formatNumber(std::numeric_limits<double>::denorm_min()), "4.941e-324");
    EXPECT_EQ(formatDecimals(1e300, 1).size(), 303u);
    EXPECT_EQ(formatNumber(kNan), "–");
    EXPECT_EQ(formatNumber(-kInfinity, 1.0), "–");
}

TEST(Numbers, areTypesetWithARealMinusThinSpacesAndPowers)
{
    constexpr auto kTypeset = Typography::Typeset;
    EXPECT_EQ(formatNumber(-12345.6, {}, kTypeset), "−12\u202F346");
    EXPECT_EQ(formatNumber(9999.0, {}, kTypeset), "9999");
    EXPECT_EQ(formatNumber(9999.96, 0.12, kTypeset), "9999.96");
    EXPECT_EQ(formatNumber(9999.96, 1.2, kTypeset), "10\u202F000.0");
    EXPECT_EQ(formatNumber(1234567.0, {}, kTypeset), "1\u202F234\u202F567");
    EXPECT_EQ(formatNumber(-1.5e-7, {}, kTypeset), "−1.5 × 10⁻⁷");
    EXPECT_EQ(formatNumber(2.5e12, {}, kTypeset), "2.5 × 10¹²");
    EXPECT_EQ(formatPercent(-0.305, 1, kTypeset), "−30.5 %");
}

TEST(Numbers, canBeBriefOrExact)
{
    EXPECT_EQ(formatBriefly(12345.6), "12300");
    EXPECT_EQ(formatBriefly(0.0123456), "0.0123");
    EXPECT_EQ(formatBriefly(12345.6, 4), "12350");
    EXPECT_EQ(formatBriefly(kInfinity), "–");
    EXPECT_EQ(formatDigits(1234.5678, 5), "1234.6");
    EXPECT_EQ(formatDigits(123456.0, 5), "123456"); // in audits it read 1.2346e+05
    EXPECT_EQ(formatDigits(1.5e-7, 3), "1.5e-07");
    EXPECT_EQ(formatExactly(0.1), "0.1");
    EXPECT_EQ(formatExactly(1e-5), "0.00001");
    EXPECT_EQ(formatExactly(9.9e-6), "9.9e-06");
    EXPECT_EQ(formatExactly(1e15), "1e+15");
}

TEST(Intervals, areSymmetricOrNameTheirEnds)
{
    EXPECT_EQ(formatInterval(1234.0, 1178.0, 1290.0), "1234 ± 56");
    EXPECT_EQ(formatInterval(2200.0, 1200.0, 3900.0), "2200 (1200 to 3900)");
    EXPECT_EQ(formatRange(-0.51234, 1.4), "-0.51 to 1.40");
}

TEST(Probabilities, neverReadAsTheLimitThatTheyAreBelow)
{
    EXPECT_EQ(formatP(0.0), "< 0.0001");
    EXPECT_EQ(formatP(0.0001), "0.00010");
    EXPECT_EQ(formatP(0.0321), "0.032");
    EXPECT_EQ(formatP(0.0996), "0.10");
    EXPECT_EQ(formatP(0.0499999), "< 0.05");
    EXPECT_EQ(formatP(0.0494), "0.049");
    EXPECT_EQ(formatP(0.05), "0.050");
    EXPECT_EQ(formatP(0.345), "0.34"); // the double is below 0.345
    EXPECT_EQ(formatP(1.0), "> 0.99");
    EXPECT_EQ(formatP(kNan), "–");
}

TEST(Probabilities, haveThreeDecimalsInSentences)
{
    EXPECT_EQ(formatPClause(0.0), "p < 0.001");
    EXPECT_EQ(formatPClause(0.0004), "p < 0.001");
    EXPECT_EQ(formatPClause(0.0344), "p = 0.034");
    EXPECT_EQ(formatPClause(0.0499999), "p < 0.05");
    EXPECT_EQ(formatPClause(0.05), "p = 0.05");
    EXPECT_EQ(formatPClause(0.9996), "p > 0.999");
    EXPECT_EQ(formatPClause(1.0), "p = 1");
}

TEST(Percentages, areAllOrNothingOnlyWhereTheyAre)
{
    EXPECT_EQ(formatPercent(0.98765), "98.8 %");
    EXPECT_EQ(formatPercent(0.9996), "99.96 %");
    EXPECT_EQ(formatPercent(0.9999999), "> 99.999 %");
    EXPECT_EQ(formatPercent(1.0), "100 %");
    EXPECT_EQ(formatPercent(0.0002), "0.02 %");
    EXPECT_EQ(formatPercent(1e-9), "< 0.001 %");
    EXPECT_EQ(formatPercent(0.0), "0 %");
    EXPECT_EQ(formatPercent(0.04), "4 %");
    EXPECT_EQ(formatPercent(0.365, 0), "37 %");
    EXPECT_EQ(formatPercent(0.998, 0), "99.8 %");
    EXPECT_EQ(formatPercent(12.345), "1234.5 %");
    EXPECT_EQ(formatPercent(kNan), "–");
}

TEST(Shares, haveFixedDecimalsUnlessTheyWouldReadAsAllOrNothing)
{
    EXPECT_EQ(formatShare(0.5, 3), "0.500");
    EXPECT_EQ(formatShare(0.9996, 3), "0.9996");
    EXPECT_EQ(formatShare(0.999999999, 3), "0.99999");
    EXPECT_EQ(formatShare(1.0, 3), "1.000");
    EXPECT_EQ(formatShare(0.812, 2), "0.81");
    EXPECT_EQ(formatShare(0.997, 2), "0.997");
    EXPECT_EQ(formatShare(0.0004, 2), "0.0004");
    EXPECT_EQ(formatShare(0.0, 2), "0.00");
    EXPECT_EQ(formatShare(-1.234, 3, Typography::Typeset), "−1.234");
}

TEST(Terms, areSetAsInBooks)
{
    EXPECT_EQ(formatTerm("A*B^2"), "A*B^2");
    EXPECT_EQ(formatTerm("A*B^2", Typography::Typeset), "A × B²");
    EXPECT_EQ(formatTerm("x^12*y2", Typography::Typeset), "x¹² × y2");
    EXPECT_EQ(formatTerm("1"), "intercept");
}

TEST(Durations, neverCountSixtySeconds)
{
    EXPECT_EQ(formatDuration(0.0), "0.0 s");
    EXPECT_EQ(formatDuration(1.44), "1.4 s");
    EXPECT_EQ(formatDuration(9.97), "10 s");
    EXPECT_EQ(formatDuration(59.6), "1 min 00 s");
    EXPECT_EQ(formatDuration(125.0), "2 min 05 s");
    EXPECT_EQ(formatDuration(3599.7), "1 h 00 min");
    EXPECT_EQ(formatDuration(4800.0), "1 h 20 min");
    EXPECT_EQ(formatDuration(-1.0), "");
    EXPECT_EQ(formatDuration(kInfinity), "");
}

TEST(Durations, areRoundedWhereTheyAreGuesses)
{
    EXPECT_EQ(formatRoughDuration(0.2), "1 s");
    EXPECT_EQ(formatRoughDuration(59.6), "60 s");
    EXPECT_EQ(formatRoughDuration(200.0), "3 min");
    EXPECT_EQ(formatRoughDuration(3599.7), "1 h 0 min");
    EXPECT_EQ(formatRoughDuration(4800.0), "1 h 20 min");
    EXPECT_EQ(formatRoughDuration(kNan), "");
}

TEST(Lists, areReadable)
{
    EXPECT_EQ(formatCount(1, "run"), "1 run");
    EXPECT_EQ(formatCount(0, "run"), "0 runs");
    EXPECT_EQ(formatList({}), "");
    EXPECT_EQ(formatList({"A"}), "A");
    EXPECT_EQ(formatList({"A", "B", "C"}), "A, B and C");
    EXPECT_EQ(formatList({"A", "B"}, "or"), "A or B");
    EXPECT_EQ(formatList(std::vector<std::string>(13, "A")),
              "A, A, A, A, A, A, A, A, A, A, A, A, … (13 in all)");
    EXPECT_EQ(formatRuns({3}), "run 3");
    EXPECT_EQ(formatRuns({3, 5, 7}), "runs 3, 5 and 7");
    EXPECT_EQ(joinWords({"A", "B", "C"}), "A, B, C");
    EXPECT_EQ(joinWords({"A", "A"}, " or "), "A or A");
}

} // namespace

} // namespace quadric::text::test

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
