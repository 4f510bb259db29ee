// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <string>
#include <vector>

/// How numbers, counts and lists read in sentences and tables: the only place that turns them into text.
namespace quadric::text {

/// The shortest text that reads back as the same number, without an exponent between 1e-5 and 1e15.
std::string formatExactly(double value);

/// Three significant digits.
std::string formatBriefly(double value);

/// A p value in a sentence: "p < 0.001", "p = 0.034".
std::string formatPClause(double p);

/// A share between 0 and 1 as "98.7 %".
std::string formatPercent(double share);

/// "3 runs", "1 run".
std::string formatCount(std::integral auto count, const std::string& thing)
{
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// "A, B and C"; more than 12 are cut short with their number.
std::string formatList(const std::vector<std::string>& items);

/// "run 3", "runs 3, 5 and 7".
std::string formatRuns(const std::vector<int>& runs);

} // namespace quadric::text
