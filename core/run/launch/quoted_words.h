// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace quadric::run {

/// A word as a shell takes it, with everything visible: plain, 'in single quotes', or where it contains what
/// a reader cannot see (control characters, other blanks, two blanks in a row) as $'…' with escapes. No two
/// words look the same.
std::string quoteWord(const std::string& word);

/// The words, each quoted, with a blank between.
std::string quoteCommand(const std::vector<std::string>& words);

/// "  label: words", of at most 80 bytes a line and therefore columns. Further words follow behind "\" and
/// ">", the rest of a long one behind ">": a word can neither move text out of sight nor look like another
/// line. Words are expected to be quoted.
std::string makeLabeledLine(const std::string& label, const std::vector<std::string>& words);

} // namespace quadric::run
