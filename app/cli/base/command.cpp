// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/command.h"

#include "app/shell/manual.h"
#include "core/run/words/run_files.h"
#include "core/study/files/journal.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"
#include "core/text/visible_text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>

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

/// What the parser found wrong, in one line. Its own sentence names neither program nor command.
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

/// The study on the line; one without anything where there is none to be read.
study::Study studyOf(const std::vector<std::string>& positionals)
{
    try {
        if (!positionals.empty() && std::filesystem::is_regular_file(positionals.front()))
            return study::loadStudy(positionals.front()).study;
    } catch (const std::exception&) {
        // Nothing is known of it; names of designs and plots are known all the same.
    }
    return {};
}

/// Where no file has this name: what to do, with the study beside it that was probably meant.
std::string describeMissingStudy(const std::string& path)
{
    std::vector<std::string> studies;
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored))
        if (entry.path().extension() == ".quadric")
            studies.push_back(entry.path().filename().string());
    return path + ": no such file, expected a study" + run::hintAtRecovered(path) + "." +
           text::suggestNearest(std::filesystem::path(path).filename().string(), studies);
}

} // namespace

Option& Option::required()
{
    m_option->required();
    return *this;
}

Option& Option::showDefault()
{
    m_option->capture_default_str();
    return *this;
}

Option& Option::withCommas()
{
    m_option->delimiter(',');
    return *this;
}

Option& Option::needs(const Option& other)
{
    m_option->needs(other.m_option);
    return *this;
}

Option& Option::excludes(const Option& other)
{
    m_option->excludes(other.m_option);
    return *this;
}

Command::Command(const std::string& name, const std::string& description, const std::string& version)
    : m_parser(std::make_shared<CLI::App>(description, name))
{
    constexpr std::size_t kColumnOfHelp = 34;
    m_parser->set_version_flag("--version", version);
    m_parser->get_formatter()->column_width(kColumnOfHelp);
}

Command::Command(std::shared_ptr<CLI::App> parser)
    : m_parser(std::move(parser))
{
}

Command& Command::addCommand(const std::string& name, const std::string& description)
{
    CLI::App* parser = m_parser->add_subcommand(name, description);
    return m_commands.emplace_back(m_parser->get_subcommand_ptr(parser));
}

void Command::requireCommand()
{
    m_parser->require_subcommand(1);
}

void Command::hide()
{
    m_parser->group("");
}

Option Command::option(const std::string& names, Value value, const Kind& kind, const std::string& valueName,
                       const std::string& help)
{
    CLI::Option* option =
        std::visit([&](auto place) { return m_parser->add_option(names, place.get(), help); }, value);
    option->type_name(valueName);
    if (kind.complaint)
        option->check(CLI::Validator(kind.complaint, kind.shownCheck));
    if (kind.isStudy)
        option->transform([](const std::string& path) { return study::resolved(path).string(); });
    if (kind.offer)
        m_offers.emplace(option, kind.offer);
    return Option(option);
}

Option Command::flag(const std::string& name, bool& isGiven, const std::string& help)
{
    return Option(m_parser->add_flag(name, isGiven, help));
}

void Command::whenCalled(const std::function<void()>& work)
{
    m_parser->callback(work);
}

bool Command::isGiven(const std::string& option) const
{
    return m_parser->count(option) > 0;
}

bool isAskedByShell(int argc, char** argv)
{
    return isCompletionRequest(argc, argv) || isManualRequest(argc, argv);
}

bool Command::answersShell(int argc, char** argv) const
{
    if (isCompletionRequest(argc, argv))
        printCompletion(*m_parser, argc, argv,
                        [this](const TypedValue& value) { return completeValue(value); });
    else if (isManualRequest(argc, argv))
        std::cout << formatManual(*m_parser);
    else
        return false;
    return true;
}

void Command::execute(int argc, char** argv)
{
    try {
        m_parser->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0)
            throw UsageError(makeComplaint(*m_parser, error));
        m_parser->exit(error);
    }
}

Completion Command::completeValue(const TypedValue& value) const
{
    if (!value.option) // `quadric STUDY` opens the window
        return {{}, value.command.get_parent() || !value.positionals.empty() ? Files::None : Files::Studies};
    const Kind::Offer* offer = findOffer(value.option);
    return offer ? (*offer)(studyOf(value.positionals), value.text) : Completion{};
}

const Kind::Offer* Command::findOffer(const CLI::Option* option) const
{
    if (const auto found = m_offers.find(option); found != m_offers.end())
        return &found->second;
    for (const Command& command : m_commands)
        if (const Kind::Offer* offer = command.findOffer(option))
            return offer;
    return nullptr;
}

Kind Kind::run()
{
    return {.offer = [](const study::Study& study, const std::string&) { return runNumbers(study); },
            .complaint = CLI::PositiveNumber,
            .shownCheck = CLI::PositiveNumber.get_description()};
}

Kind Kind::pixels(int least, int most)
{
    const CLI::Range range(least, most);
    return {.complaint = range, .shownCheck = range.get_description()};
}

void addStudyOption(Command& command, StudyOption& option)
{
    command.option("study", option.path, Kind::studyFile(), "STUDY", "The study file (NAME.quadric)")
        .required();
    command.flag("--json", option.json, "Print one JSON document instead of tables");
}

study::Study readStudy(const std::string& path)
{
    if (!std::filesystem::exists(path))
        throw study::DocumentError(describeMissingStudy(path));
    study::LoadedStudy loaded = study::loadStudy(path);
    for (const std::string& warning : loaded.warnings)
        warn(warning);
    return std::move(loaded.study);
}

std::vector<int> addRunsToFile(const std::string& path, const std::vector<study::Settings>& settings,
                               study::RunKind kind)
{
    const study::Study study = study::editStudy(
        path, [&](study::Study known) { return study::withRuns(std::move(known), settings, kind); });
    std::vector<int> ids;
    for (std::size_t i = study.runs.size() - settings.size(); i < study.runs.size(); ++i)
        ids.push_back(study.runs[i].id);
    return ids;
}

void warn(const std::string& message)
{
    std::cerr << "quadric: warning: " << text::makeVisible(message) << '\n';
}

void requireResponse(const study::Study& study, const std::string& option, const std::string& name)
{
    if (!study::findResponse(study, name))
        throw UsageError(option + ": the study has no response " +
                         text::describeUnknown(name, namesOf(study.responses)));
}

const study::Factor& requireFactor(const study::Study& study, const std::string& option,
                                   const std::string& name)
{
    const study::Factor* factor = study::findFactor(study, name);
    if (!factor)
        throw UsageError(option + ": the study has no factor " +
                         text::describeUnknown(name, namesOf(study.factors)));
    return *factor;
}

std::pair<std::string, std::string> splitAssignment(const std::string& option, const std::string& text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw UsageError(option + ": \"" + text + "\", expected name=value");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

double readNumber(const std::string& option, const std::string& text)
{
    const std::size_t start = !text.empty() && text.front() == '+' ? 1 : 0;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data() + start, text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        throw UsageError(option + ": \"" + text + "\", expected a number");
    return value;
}

int readInteger(const std::string& option, const std::string& text, int least, int most)
{
    const double value = readNumber(option, text);
    if (value != std::floor(value) || value < least || value > most)
        throw UsageError(option + ": " + text + ", expected a whole number from " + std::to_string(least) +
                         " to " + std::to_string(most));
    return static_cast<int>(value);
}

study::Value readValue(const study::Factor& factor, const std::string& option, const std::string& text)
{
    if (factor.isNumeric())
        return readNumber(option + " " + factor.name, text);
    if (std::ranges::find(factor.categories, text) != factor.categories.end())
        return text;
    throw UsageError(option + " " + factor.name + ": " + text::describeUnknown(text, factor.categories));
}

study::Settings readAssignments(const study::Study& study, const std::string& option,
                                const std::vector<std::string>& lists)
{
    study::Settings settings;
    for (const std::string& list : lists) {
        for (const std::string& assignment : split(list, ',')) {
            const auto [name, text] = splitAssignment(option, assignment);
            const study::Value value = readValue(requireFactor(study, option, name), option, text);
            if (!settings.emplace(name, value).second)
                throw UsageError(option + " " + name + ": given twice, expected one value for each factor");
        }
    }
    return settings;
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
        end = text.find(separator, start);
        parts.push_back(text.substr(start, end == std::string::npos ? end : end - start));
    }
    return parts;
}

} // namespace quadric::app
