// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How numbers, counts and lists read in sentences and tables: the only place that turns them into text.

namespace quadric::text {

/// A unit in which times of some size are read.
struct TimeUnit {
    const char* name;
    double seconds;
};

/// For times up to this one, in seconds: s, min, h or d.
TimeUnit findTimeUnit(double longest);

/// The unit of the difference of two values: percentages differ by percentage points.
inline std::string unitOfDifference(const std::string& unit)
{
    return unit == "%" ? "percentage points" : unit;
}

/// How signs look: as a terminal and a file of data take them (-1234.5, 1.5e-07), or as a page is set
/// (−1234.5, 12 345, 1.5 × 10⁻⁷).
enum class Typography { Plain, Typeset };

/// Stands where there is no number.
inline constexpr std::string_view kNothing = "–";

/// Digits that a number deserves: `uncertainty` is the half width of its interval, two significant digits of
/// which decide; without it four significant digits, never fewer than the whole part. "–" for a number that
/// is not finite.
std::string formatNumber(double value, std::optional<double> uncertainty = {},
                         Typography typography = Typography::Plain);

/// So many significant digits at most, never fewer than the whole part.
std::string formatDigits(double value, int digits, Typography typography = Typography::Plain);

/// Always so many digits behind the point; never a negative zero.
std::string formatDecimals(double value, int decimals, Typography typography = Typography::Plain);

/// So many significant digits; the whole part is rounded, too: 12 345 becomes 12300.
std::string formatBriefly(double value, int digits = 3);

/// The shortest text that reads back as the same number, without an exponent between 1e-5 and 1e15.
std::string formatExactly(double value);

/// A value with its interval: "1234 ± 56" where both halves are equal (within 2 %), otherwise "2200 (1200 to
/// 3900)", as after a transform.
std::string formatInterval(double value, double low, double high, Typography typography = Typography::Plain);

/// The ends of an interval: "1200 to 3900", with the digits of its half width.
std::string formatRange(double low, double high, Typography typography = Typography::Plain);

/// A p value in a table, two significant digits: "< 0.0001", "0.032", "> 0.99". What is below 0.05 never
/// reads as 0.05.
std::string formatP(double p);

/// A p value in a sentence, three decimals: "p < 0.001", "p = 0.034". What is below 0.05 never reads as 0.05,
/// and what is below 1 never as 1.
std::string formatPClause(double p);

/// A share between 0 and 1 as "98.7 %", with so many decimals at most, and up to two more where it is neither
/// all nor nothing but would read so: "99.96 %", "> 99.999 %", "0.02 %", "< 0.001 %".
std::string formatPercent(double share, int decimals = 1, Typography typography = Typography::Plain);

/// The power of a test in whole percent. What is below the 80 % that are usually asked for never reads as
/// 80 %, nor as 100 % what is not sure: "> 99 %".
std::string formatPower(double power);

/// A share that is read as a number, R² or a desirability: so many decimals, and up to two more where it
/// would read as 0 or 1 and is neither.
std::string formatShare(double share, int decimals, Typography typography = Typography::Plain);

/// "1.4 s", "42 s", "2 min 05 s", "1 h 20 min"; empty for a negative time.
std::string formatDuration(double seconds);

/// A duration as people say it: "40 s", "3 min", "1 h 20 min"; empty for a negative time.
std::string formatRoughDuration(double seconds);

/// "3 runs", "1 run".
std::string formatCount(std::integral auto count, const std::string& thing)
{
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// "A, B and C"; more than 12 are cut short with their number.
std::string formatList(const std::vector<std::string>& items, std::string_view conjunction = "and");

/// "run 3", "runs 3, 5 and 7".
std::string formatRuns(const std::vector<int>& runs);

/// A term of a model: "A*B^2" as formulas have it, or set as "A × B²"; "1" is the intercept.
std::string formatTerm(std::string_view term, Typography typography = Typography::Plain);

/// "A, B, C": all of them; `wordOf` makes the word of an item where it is none itself.
template <typename Items = std::vector<std::string>, typename WordOf = std::identity>
std::string joinWords(const Items& items, std::string_view separator = ", ", WordOf wordOf = {})
{
    std::string text;
    bool isFirst = true;
    for (const auto& item : items) {
        text.append(isFirst ? std::string_view() : separator).append(std::invoke(wordOf, item));
        isFirst = false;
    }
    return text;
}

} // namespace quadric::text
