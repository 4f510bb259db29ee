// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace quadric::text {

bool isLetterOrDigit(char c);
bool isBlank(char c);

/// Of the name of a variable, a field or an option.
bool isOfName(char c);

/// Of a token: what base64 and its form for addresses are written with, and dots.
bool isOfToken(char c);

/// Length of the token that the text begins with, known by its beginning ("ghp_", "AKIA"); 0: there is none.
std::size_t tokenSize(std::string_view text);

/// Length of "Bearer" or "Basic", which the text begins with, whatever the case; 0: with none of them.
std::size_t httpSchemeSize(std::string_view text);
bool isHttpScheme(std::string_view word);

/// A word behind such a scheme that is no word of a language.
bool looksEncoded(std::string_view word);

/// A long word of random base64 or hexadecimal digits.
bool looksRandom(std::string_view word);

/// `user` is all that stands before an @ in its word (behind "://" where `hasScheme`), `host` what follows.
bool holdsPassword(std::string_view user, std::string_view host, bool hasScheme);

/// A number, "none", "<pad>" and the like: no secret even where the name speaks of one.
bool isHarmlessValue(std::string_view value);

/// Nothing but letters of one case.
bool isPlainWord(std::string_view value);

} // namespace quadric::text
