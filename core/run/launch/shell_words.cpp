// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/shell_words.h"

#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace quadric::run {

namespace {

constexpr std::size_t kLineBytes = 76; ///< no character has more columns than bytes; "\" follows

struct Blank {
    std::string_view text, escape;
};

/// Blanks that look like the common one, like several, or like the end of a line.
constexpr std::array<Blank, 17> kOtherBlanks = {{{"\u00a0", "\\u{00a0}"},
                                                 {"\u1680", "\\u{1680}"},
                                                 {"\u2000", "\\u{2000}"},
                                                 {"\u2001", "\\u{2001}"},
                                                 {"\u2002", "\\u{2002}"},
                                                 {"\u2003", "\\u{2003}"},
                                                 {"\u2004", "\\u{2004}"},
                                                 {"\u2005", "\\u{2005}"},
                                                 {"\u2006", "\\u{2006}"},
                                                 {"\u2007", "\\u{2007}"},
                                                 {"\u2008", "\\u{2008}"},
                                                 {"\u2009", "\\u{2009}"},
                                                 {"\u200a", "\\u{200a}"},
                                                 {"\u202f", "\\u{202f}"},
                                                 {"\u205f", "\\u{205f}"},
                                                 {"\u3000", "\\u{3000}"},
                                                 {"\u2028", "\\u{2028}"}}};

void replaceAll(std::string& text, std::string_view what, std::string_view by)
{
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

/// With an escape for a second blank in a row, for every other kind of blank, and for what is invisible.
std::string withEscapes(std::string_view word)
{
    std::string shown = text::makeVisible(word);
    for (const Blank& blank : kOtherBlanks)
        replaceAll(shown, blank.text, blank.escape);
    for (std::size_t at = shown.find("  "); at != shown.npos; at = shown.find("  ", at + 1))
        shown.replace(at + 1, 1, "\\x20");
    return shown;
}

bool isPlain(std::string_view word)
{
    return !word.empty() && std::ranges::all_of(word, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-./:=@%+{}").find(c) != std::string_view::npos;
    });
}

/// Where the next line begins: between characters, and not behind a blank or a "\".
std::size_t breakOf(std::string_view text, std::size_t most)
{
    constexpr int kMostStepsBack = 4;
    const auto isWithin = [&text](std::size_t at) {
        return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U || text[at - 1] == ' ' ||
               text[at - 1] == '\\';
    };
    for (int i = 0; i < kMostStepsBack && most > 1 && isWithin(most); ++i)
        --most;
    return most;
}

} // namespace

std::string quoteWord(const std::string& word)
{
    if (isPlain(word))
        return word;
    if (withEscapes(word) == word) {
        std::string quoted = word;
        replaceAll(quoted, "'", "'\\''");
        return "'" + quoted + "'";
    }
    std::string escaped = word;
    replaceAll(escaped, "\\", "\\\\");
    replaceAll(escaped, "'", "\\'");
    return "$'" + withEscapes(escaped) + "'";
}

std::string quoteCommand(const std::vector<std::string>& words)
{
    return text::joinWords(words, " ", quoteWord);
}

std::string makeLabeledLine(const std::string& label, const std::vector<std::string>& words)
{
    std::string lines, line = "  " + label + ":";
    bool hasWord = false;
    for (const std::string& word : words) {
        if (hasWord && line.size() + 1 + word.size() > kLineBytes) {
            lines += line + " \\\n";
            line = "    >";
        }
        hasWord = true;
        line += ' ';
        std::string_view rest = word;
        while (line.size() + rest.size() > kLineBytes) {
            const std::size_t size = breakOf(rest, kLineBytes - line.size());
            lines += line + std::string(rest.substr(0, size)) + "\n";
            rest.remove_prefix(size);
            line = "    > ";
        }
        line += rest;
    }
    return lines + line + "\n";
}

} // namespace quadric::run
