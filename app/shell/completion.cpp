// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/completion.h"

#include "core/text/visible_text.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <string_view>

namespace quadric::app {

namespace {

constexpr std::size_t kLongestMeaning = 72;

bool takesValue(const CLI::Option& option)
{
    return option.get_items_expected_max() > 0;
}

const CLI::Option* optionNamed(const CLI::App& command, const std::string& name)
{
    return name.starts_with('-') ? command.get_option_no_throw(name) : nullptr;
}

const CLI::App* commandNamed(const CLI::App& app, const std::string& name)
{
    const auto commands =
        app.get_subcommands([&name](const CLI::App* command) { return command->get_name() == name; });
    return commands.empty() ? nullptr : commands.front();
}

const CLI::Option* positionalAt(const CLI::App& command, std::size_t place)
{
    const auto positionals =
        command.get_options([](const CLI::Option* option) { return option->get_positional(); });
    return place < positionals.size() ? positionals[place] : nullptr;
}

/// The words before the cursor, as the parser will understand them.
struct Reading {
    const CLI::App* command;
    const CLI::Option* open = nullptr; ///< the option whose value comes next
    std::vector<std::string> positionals = {};
};

Reading read(const CLI::App& app, const std::vector<std::string>& words)
{
    Reading reading{&app};
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string& word = words[i];
        if (reading.open) {
            reading.open = nullptr;
        } else if (word.starts_with('-')) {
            const CLI::Option* option = optionNamed(*reading.command, word);
            reading.open = option && takesValue(*option) ? option : nullptr;
        } else if (const CLI::App* command =
                       reading.positionals.empty() ? commandNamed(*reading.command, word) : nullptr) {
            reading.command = command;
        } else {
            reading.positionals.push_back(word);
        }
    }
    return reading;
}

/// The meaning of an option in one line of a list.
std::string shortMeaning(const std::string& description)
{
    std::string text = description.substr(0, description.find_first_of("\n;"));
    if (text.size() > kLongestMeaning)
        text = text.substr(0, text.rfind(' ', kLongestMeaning)) + " …";
    return text;
}

void addOptions(const CLI::App& command, Completion& found)
{
    for (const CLI::Option* option : command.get_options())
        if (option->nonpositional() && !option->get_group().empty() && !option->get_lnames().empty())
            found.candidates.push_back(
                {"--" + option->get_lnames().front(), shortMeaning(option->get_description())});
}

void addCommands(const CLI::App& app, Completion& found)
{
    for (const CLI::App* command : app.get_subcommands(
             [](const CLI::App* item) { return !item->get_group().empty() && !item->get_name().empty(); }))
        found.candidates.push_back({command->get_name(), shortMeaning(command->get_description())});
}

/// `--option=VALUE` in one word.
Completion joinedValue(const Reading& reading, const std::string& typed, const ValueWords& values)
{
    const std::size_t equals = typed.find('=');
    const CLI::Option* option = optionNamed(*reading.command, typed.substr(0, equals));
    if (!option || !takesValue(*option))
        return {};
    Completion found = values({*reading.command, option, typed.substr(equals + 1), reading.positionals});
    for (Candidate& candidate : found.candidates)
        candidate.word.insert(0, typed.substr(0, equals + 1));
    return found;
}

Completion everything(const Reading& reading, const std::string& typed, const ValueWords& values)
{
    if (reading.open)
        return values({*reading.command, reading.open, typed, reading.positionals});
    if (typed.starts_with("--") && typed.find('=') != typed.npos)
        return joinedValue(reading, typed, values);
    Completion found;
    const CLI::Option* positional = positionalAt(*reading.command, reading.positionals.size());
    if (!typed.starts_with('-')) {
        found = values({*reading.command, positional, typed, reading.positionals});
        if (reading.positionals.empty())
            addCommands(*reading.command, found);
    }
    if (typed.starts_with('-') || (!positional && found.candidates.empty()))
        addOptions(*reading.command, found);
    return found;
}

std::string_view directive(Files files)
{
    constexpr std::string_view kDirectives[] = {"", ":files\n", ":studies\n", ":folders\n"};
    return kDirectives[static_cast<std::size_t>(files)];
}

/// What may stand in place of the last of `words`; the program's name is not among them.
Completion complete(const CLI::App& app, const std::vector<std::string>& words, const ValueWords& values)
{
    const std::string typed = words.empty() ? "" : words.back();
    Completion found = everything(read(app, words), typed, values);
    // A name that cannot be shown as it is cannot be offered either: a line break would make two of it.
    std::erase_if(found.candidates, [&typed](const Candidate& candidate) {
        return !candidate.word.starts_with(typed) || text::makeVisible(candidate.word) != candidate.word;
    });
    return found;
}

} // namespace

bool isCompletionRequest(int argc, char** argv)
{
    return argc > 2 && std::string_view(argv[1]) == "complete" && std::string_view(argv[2]).starts_with("--");
}

void printCompletion(const CLI::App& app, int argc, char** argv, const ValueWords& values)
{
    try {
        std::vector<std::string> words(argv + 3, argv + argc);
        if (std::string_view(argv[2]) == "--line" && words.size() == 1) {
            words = commandWords(words.front());
            words.erase(words.begin());
        }
        const Completion found = complete(app, words, values);
        for (const Candidate& candidate : found.candidates)
            std::cout << candidate.word << '\t' << text::makeVisible(candidate.meaning) << '\n';
        std::cout << directive(found.files);
    } catch (const std::exception&) {
        // Whoever presses Tab wants words, not reasons; the command itself will say what is wrong.
    }
}

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
