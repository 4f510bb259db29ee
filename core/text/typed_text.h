// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// How many letters must be inserted, deleted, replaced or swapped with their neighbor to turn one word into
/// the other, where no part is edited twice (optimal string alignment; Damerau 1964). The case of ASCII
/// letters does not count; bytes of UTF-8 count one by one.
std::size_t computeEditDistance(std::string_view a, std::string_view b);

/// The candidate that was probably meant by a misspelled word: the nearest one, at most a third of the longer
/// word away (at least one letter), or the only one that begins with the word (three letters or more). The
/// first of equals; nothing where none is near.
std::optional<std::string> findNearest(std::string_view word, const std::vector<std::string>& candidates);

/// " Did you mean {optimizer}?", the name between these marks; empty where none is near. Follows a sentence.
std::string suggestNearest(std::string_view word, const std::vector<std::string>& candidates,
                           std::string_view before = "", std::string_view after = "");

/// For a word that is none of the known ones: "surfce", in quotes, expected one of: contour, surface. Did you
/// mean surface?
std::string describeUnknown(std::string_view word, const std::vector<std::string>& known);

} // namespace quadric::text
