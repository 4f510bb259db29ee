// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace quadric::text {

/// What becomes of line breaks and tabs: an escape like every control character, or what they are.
enum class LineBreaks { Escape, Keep };

/// `text` with an escape in the place of everything that a terminal obeys or that a reader cannot see:
/// control characters (C0, DEL and C1: "\n", "\x1b"), what reorders (UAX #9), separates lines or takes no
/// room (default ignorable code points of Unicode 15, blank letters: "\u{202e}"), and bytes that are no
/// UTF-8 ("\xff"). The result is valid UTF-8. Backslashes stay as they are: it is read, not read back.
std::string makeVisible(std::string_view text, LineBreaks lineBreaks = LineBreaks::Escape);

/// Stands where a secret stood.
inline constexpr std::string_view kLeftOut = "(left out: may hold a secret)";

/// Whether a variable, a field or an option of this name is there to hold a secret: "SLURM_JWT", "api_key",
/// "--password". Names of numbers of tokens ("tokens_per_second") are not.
bool namesSecret(std::string_view name);

/// The text with kLeftOut in the place of everything in it that looks like a secret: tokens with a known
/// beginning, JSON Web Tokens, PEM blocks, "user:password@host", values of an HTTP authorization and of names
/// as above, and long random words of base64 or hexadecimal digits. Hexadecimal words as long as a digest
/// (32, 40, 56, 64, 96 or 128 digits) stay: they are commits and checksums far more often.
std::string withoutSecrets(std::string_view text);

} // namespace quadric::text
