// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/recipe_lines.h"

#include "core/machine/json_text.h"
#include "core/run/launch/shell_words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace quadric::run {

namespace {

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
