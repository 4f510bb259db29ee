// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/recipe_lines.h"

#include "core/machine/json_text.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <nlohmann/json.hpp>

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

using Fact = nlohmann::json;
using Words = std::vector<std::string>;
using Lines = std::vector<RecipeLine>;

std::string textOfFact(const Fact& fact)
{
    return fact.is_string() ? fact.get<std::string>() : machine::textOf(fact);
}

/// A list, or the one value as a list.
Fact listOf(const Fact& facts)
{
    return facts.is_array() ? facts : facts.is_null() ? Fact::array() : Fact::array({facts});
}

/// A line for each value that is not empty.
void addValues(const std::string& label, const Fact& values, Lines& lines)
{
    for (const Fact& value : listOf(values)) {
        if (const std::string text = textOfFact(value); !text.empty())
            lines.push_back({label, {quoteWord(text)}});
    }
}

void addVariables(const Fact& env, Lines& lines)
{
    for (const auto& [name, value] : env.items())
        lines.push_back({"Variable", {quoteWord(name + "=" + textOfFact(value))}});
}

/// "optimizer: adam, sgd", or for what is the same in all runs "script=train.py".
RecipeLine lineOfText(const std::string& key, const Fact& value)
{
    constexpr std::string_view kFixed = " (fixed)", kOption = " (option)";
    const auto nameWithout = [&key](std::string_view ending) {
        return key.ends_with(ending) ? key.substr(0, key.size() - ending.size()) : key;
    };
    if (!value.is_array()) {
        const bool isOption = key.ends_with(kOption);
        return {isOption ? "Option" : "Fixed setting",
                {quoteWord(nameWithout(isOption ? kOption : kFixed) + "=" + textOfFact(value))}};
    }
    RecipeLine line{"Levels", {quoteWord(key) + ":"}};
    for (const Fact& level : value)
        line.words.push_back(quoteWord(textOfFact(level)) + ",");
    line.words.back().pop_back();
    return line;
}

/// What stands behind an option of the command belongs to it.
Words withOption(const Words& argv, std::size_t first, std::size_t end)
{
    const bool hasOption = first > 0 && first < end && argv[first - 1].starts_with('-') &&
                           argv[first - 1].find('=') == std::string::npos && !argv[first].starts_with('-');
    return {argv.begin() + static_cast<std::ptrdiff_t>(hasOption ? first - 1 : first),
            argv.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// "before → now", or that something came or went.
RecipeLine makeChange(const std::string& label, const Words& before, const Words& now)
{
    RecipeLine line{label, {}};
    if (before.empty() || now.empty()) {
        line.words = before.empty() ? now : before;
        line.words.insert(line.words.begin(), before.empty() ? "added" : "removed");
        return line;
    }
    line.words = before;
    line.words.push_back("→");
    line.words.insert(line.words.end(), now.begin(), now.end());
    return line;
}

/// Argument by argument where there are as many as before; otherwise what lies between those at the beginning
/// and at the end that are the same.
Lines changesOfCommand(const Words& before, const Words& now)
{
    Lines changes;
    if (before.size() == now.size()) {
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (before[i] != now[i])
                changes.push_back(
                    makeChange("Command", withOption(before, i, i + 1), withOption(now, i, i + 1)));
        }
        return changes;
    }
    const std::size_t most = std::min(before.size(), now.size());
    const auto first = static_cast<std::size_t>(
        std::mismatch(before.begin(), before.end(), now.begin(), now.end()).first - before.begin());
    std::size_t same = 0;
    while (same < most - first && before[before.size() - 1 - same] == now[now.size() - 1 - same])
        ++same;
    changes.push_back(makeChange("Command", withOption(before, first, before.size() - same),
                                 withOption(now, first, now.size() - same)));
    return changes;
}

/// The lines with this label that `others` lack.
Lines missingIn(const Lines& others, const Lines& lines, const std::string& label)
{
    Lines missing;
    std::ranges::copy_if(lines, std::back_inserter(missing), [&](const RecipeLine& line) {
        return line.label == label && std::ranges::find(others, line) == others.end();
    });
    return missing;
}

/// Those that are gone and those that came are paired in their order where they are as many.
void addChanges(const Lines& gone, const Lines& come, Lines& changes)
{
    if (gone.size() == come.size()) {
        for (std::size_t i = 0; i < come.size(); ++i)
            changes.push_back(makeChange(come[i].label, gone[i].words, come[i].words));
        return;
    }
    for (const RecipeLine& line : gone)
        changes.push_back(makeChange(line.label, line.words, {}));
    for (const RecipeLine& line : come)
        changes.push_back(makeChange(line.label, {}, line.words));
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

std::vector<std::string> findArguments(const nlohmann::json& recipe)
{
    Words arguments;
    for (const Fact& argument : listOf(recipe.value("argv", Fact())))
        arguments.push_back(quoteWord(textOfFact(argument)));
    return arguments;
}

std::vector<RecipeLine> makeRecipeLines(const nlohmann::json& recipe)
{
    Lines lines;
    addValues("Folder", recipe.value("folder", Fact()), lines);
    addVariables(recipe.value("env", Fact::object()), lines);
    const Fact texts = recipe.value("texts", Fact::object());
    for (const auto& [key, value] : texts.items())
        lines.push_back(lineOfText(key, value));
    const Fact parse = recipe.value("parse", Fact::object());
    if (parse.is_object())
        addValues("Result file", parse.value("file", Fact()), lines);
    const Fact slurm = recipe.value("slurm", Fact::object());
    for (const auto& [key, value] : slurm.items())
        addValues("Slurm " + key, value, lines);
    addValues("Not watched", recipe.value("unwatched", Fact()), lines);
    return lines;
}

std::string describeChanges(const nlohmann::json& before, const nlohmann::json& now)
{
    if (!before.is_object())
        return {};
    Lines changes = changesOfCommand(findArguments(before), findArguments(now));
    const Lines old = makeRecipeLines(before), current = makeRecipeLines(now);
    Words labels;
    for (const Lines* lines : {&current, &old}) {
        for (const RecipeLine& line : *lines) {
            if (std::ranges::find(labels, line.label) == labels.end())
                labels.push_back(line.label);
        }
    }
    for (const std::string& label : labels)
        addChanges(missingIn(current, old, label), missingIn(old, current, label), changes);
    std::string text;
    for (const RecipeLine& change : changes)
        text += makeLabeledLine(change.label, change.words);
    return text;
}

} // namespace quadric::run
