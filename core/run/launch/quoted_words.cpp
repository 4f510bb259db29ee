// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/quoted_words.h"

#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <QString>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace quadric::run {

namespace {

constexpr std::size_t kLineBytes = 76; ///< no character has more columns than bytes; "\" follows

/// Blanks that look like the common one, like several, or like the end of a line.
constexpr std::array<char32_t, 16> kOtherBlanks = {0x00A0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
                                                   0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009,
                                                   0x200A, 0x202F, 0x205F, 0x3000};

void replaceAll(std::string& text, std::string_view what, std::string_view by)
{
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

/// With an escape for a second blank in a row, for every other kind of blank, and for what is invisible.
std::string withEscapes(std::string_view word)
{
    std::string shown = text::makeVisible(word);
    for (const char32_t blank : kOtherBlanks) {
        std::array<char, 16> escape = {};
        std::snprintf(escape.data(), escape.size(), "\\u{%04x}", static_cast<unsigned>(blank));
        replaceAll(shown, QString::fromUcs4(&blank, 1).toStdString(), escape.data());
    }
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
std::size_t findLineBreak(std::string_view text, std::size_t most)
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
            const std::size_t size = findLineBreak(rest, kLineBytes - line.size());
            lines += line + std::string(rest.substr(0, size)) + "\n";
            rest.remove_prefix(size);
            line = "    > ";
        }
        line += rest;
    }
    return lines + line + "\n";
}

} // namespace quadric::run
