// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quadric::text {

/// The number that the whole text writes with this decimal mark ('.' or ','), blanks around it aside. The
/// sign may be a real minus. Before the mark, groups of three digits may be set apart, always by the same
/// thing: a space of any kind, an apostrophe, or the mark that is not the decimal one. Empty for anything
/// else, and for what is not finite.
std::optional<double> readNumber(std::string_view text, char decimalMark);

/// A number and what follows it: "80.57 %" is 80.57 and "%".
struct NumberWithUnit {
    double value = 0;
    std::string unit;
};

/// As readNumber(), with a unit behind the number, after a space unless it is %. Empty without a unit.
std::optional<NumberWithUnit> readNumberWithUnit(std::string_view text, char decimalMark);

/// The text without the blanks around it.
std::string_view withoutBlanks(std::string_view text);

} // namespace quadric::text
