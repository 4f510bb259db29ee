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

} // namespace quadric::text
