// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parser_complaint.h"

#include "core/text/find_nearest.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::app {

namespace {

/// The innermost command on the line, and what is typed to call it: "quadric plan queue".
struct Called {
    const CLI::App* command;
    std::string words;
};

Called findCalled(const CLI::App& app)
{
    Called called{&app, app.get_name()};
    for (auto parsed = app.get_subcommands(); !parsed.empty(); parsed = called.command->get_subcommands()) {
        called.command = parsed.front();
        called.words += " " + called.command->get_name();
    }
    return called;
}

std::vector<std::string> optionNames(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
        for (const std::string& name : option->get_snames())
            names.push_back("-" + name);
    }
    return names;
}

/// An option that the command does not have explains the words behind it.
std::string describeExtras(const CLI::App& command)
{
    const std::vector<std::string> extras = command.remaining(true);
    const auto option =
        std::ranges::find_if(extras, [](const std::string& word) { return word.starts_with('-'); });
    if (option == extras.end())
        return "\"" + (extras.empty() ? "" : extras.front()) + "\" is one argument too many.";
    const std::string name = option->substr(0, option->find('='));
    return "there is no option " + name + "." + text::suggestNearest(name, optionNames(command));
}

/// Of a command that only calls others: the word behind it is missing or misspelled.
std::string describeWord(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::App* each : command.get_subcommands({}))
        names.push_back(each->get_name());
    const std::vector<std::string> extras = command.remaining();
    if (extras.empty())
        return "a word is missing behind " + command.get_name() +
               ", expected one of: " + text::joinWords(names) + ".";
    const std::string unknown = text::describeUnknown(extras.front(), names);
    return "there is no " + command.get_name() + " " + unknown + (unknown.ends_with('?') ? "" : ".");
}

/// The parser says "study is required".
std::string describeMissing(const CLI::App& command, const std::string& sentence)
{
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_required() || option->count() > 0)
            continue;
        const bool isPositional = !option->nonpositional();
        const std::string name = isPositional ? option->get_type_name() : option->get_name();
        return name + " is missing: " + option->get_description() + ".";
    }
    return sentence + ".";
}

} // namespace

std::string makeComplaint(const CLI::App& app, const CLI::ParseError& error)
{
    const Called called = findCalled(app);
    std::string complaint = error.what();
    if (called.command != &app && called.command->get_require_subcommand_min() > 0)
        complaint = describeWord(*called.command);
    else if (dynamic_cast<const CLI::ExtrasError*>(&error))
        complaint = describeExtras(*called.command);
    else if (dynamic_cast<const CLI::RequiredError*>(&error))
        complaint = describeMissing(*called.command, complaint);
    else if (!complaint.ends_with('.') && !complaint.ends_with('?'))
        complaint += '.';
    return complaint + " " + called.words + " --help lists the options.";
}

} // namespace quadric::app
