// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace quadric::study {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// What a document may hold at most; more is a broken or hostile file, not a study.
inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;
inline constexpr std::size_t kLongestText = std::size_t{1} << 20;
inline constexpr std::size_t kDeepestNesting = 64;

/// Whole numbers up to this are exact in a double; they are written without a decimal point.
inline constexpr double kLargestWhole = 9007199254740992.0;

/// JSON text → value. Refuses deep nesting, overlong texts, keys that appear twice, NaN, infinity and text
/// that is not UTF-8. Throws DocumentError with `name`, the place and what was expected.
Json parseJson(std::string_view text, const std::string& name);

/// The value on one line with a space after each comma and colon; bytes that are not UTF-8 become U+FFFD.
std::string toLine(const OrderedJson& value);

/// A short form of the value for messages: `"abc"`, `12`, `a list`.
std::string describe(const Json& value);

} // namespace quadric::study
