// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/command_words.h"

namespace quadric::app {

std::vector<std::string> commandWords(std::string_view line)
{
    std::vector<std::string> words(1);
    char quote = '\0';
    bool isQuotedWord = false; // '' is a word, too
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char letter = line[i];
        const bool escapes = letter == '\\' && quote != '\'' && i + 1 < line.size();
        if (escapes) {
            words.back() += line[++i];
        } else if (quote != '\0') {
            quote = letter == quote ? '\0' : quote;
            if (quote != '\0')
                words.back() += letter;
        } else if (letter == '\'' || letter == '"') {
            quote = letter;
            isQuotedWord = true;
        } else if (letter != ' ' && letter != '\t') {
            words.back() += letter;
        } else if (!words.back().empty() || isQuotedWord) {
            words.emplace_back();
            isQuotedWord = false;
        }
    }
    return words;
}

} // namespace quadric::app
