// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/manual.h"

#include <string_view>

namespace quadric::app {

namespace {

/// Text as roff shows it as it is: a hyphen that can be copied, no requests, no escapes.
std::string escaped(std::string_view text)
{
    std::string roff;
    for (const char letter : text) {
        if (letter == '\\')
            roff += "\\e";
        else if (letter == '-')
            roff += "\\-";
        else if (letter == '\n')
            roff += ' ';
        else
            roff += letter;
    }
    return roff.starts_with('.') || roff.starts_with('\'') ? "\\&" + roff : roff;
}

std::string bold(const std::string& text)
{
    return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(const std::string& text)
{
    return "\\fI" + escaped(text) + "\\fR";
}

/// What the parser checks stands behind the type's name: "TEXT:{a4,letter}" is "a4|letter", "N:POSITIVE" is
/// "N".
std::string valueName(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{');
    if (open == type.npos)
        return type.substr(0, type.find(":POSITIVE"));
    std::string choices = type.substr(open + 1, type.find('}', open) - open - 1);
    for (char& letter : choices)
        letter = letter == ',' ? '|' : letter;
    return choices;
}

std::string names(const CLI::Option& option)
{
    if (!option.nonpositional())
        return italic(valueName(option));
    std::string text;
    for (const std::string& name : option.get_snames())
        text += (text.empty() ? "" : ", ") + bold("-" + name);
    for (const std::string& name : option.get_lnames())
        text += (text.empty() ? "" : ", ") + bold("--" + name);
    return option.get_items_expected_max() > 0 ? text + ' ' + italic(valueName(option)) : text;
}

std::string entry(const CLI::Option& option)
{
    std::string text = escaped(option.get_description());
    if (option.get_required() && option.nonpositional())
        text += " (required)";
    if (!option.get_default_str().empty() && option.get_items_expected_max() > 0)
        text += " (default: " + escaped(option.get_default_str()) + ")";
    return ".TP\n" + names(option) + "\n" + text + "\n";
}

std::string synopsis(const CLI::App& command, const std::string& words)
{
    std::string text = bold(words);
    for (const CLI::Option* option : command.get_options())
        if (option->nonpositional() && option->get_required())
            text += ' ' + names(*option);
    for (const CLI::Option* option : command.get_options())
        if (option->get_positional())
            text += ' ' + (option->get_required() ? names(*option) : "[" + names(*option) + "]");
    return text + " [" + italic("options") + "]";
}

std::string entries(const CLI::App& command, bool withHelp)
{
    std::string text;
    for (const bool arePositional : {true, false})
        for (const CLI::Option* option : command.get_options())
            if (option->get_positional() == arePositional && !option->get_group().empty() &&
                (withHelp || option != command.get_help_ptr()))
                text += entry(*option);
    return text;
}

std::vector<const CLI::App*> commandsOf(const CLI::App& app)
{
    return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

/// A command that has commands of its own is these: "plan queue".
std::string sectionsOf(const CLI::App& command, const std::string& words)
{
    std::string text;
    for (const CLI::App* inner : commandsOf(command))
        text += sectionsOf(*inner, words + " " + inner->get_name());
    return text.empty() ? ".SS " + synopsis(command, words) + "\n" + escaped(command.get_description()) +
                              ".\n" + entries(command, false)
                        : text;
}

} // namespace

std::string formatManual(const CLI::App& app)
{
    std::string text = ".SH OPTIONS\n" + entries(app, true);
    const auto commands = commandsOf(app);
    if (commands.empty())
        return text;
    text += ".SH COMMANDS\nEach command has \\fB\\-\\-help\\fR, too.\n";
    for (const CLI::App* command : commands)
        text += sectionsOf(*command, command->get_name());
    return text;
}

bool isManualRequest(int argc, char** argv)
{
    return argc == 3 && std::string_view(argv[1]) == "manual" && std::string_view(argv[2]) == "--";
}

} // namespace quadric::app
