// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/kind.h"
#include "core/study/document/document.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace quadric::app {

/// Exit statuses of the command line.
inline constexpr int kDone = 0;       ///< the work is done
inline constexpr int kWorkFailed = 1; ///< a run failed, there is no optimum, a check fell short
inline constexpr int kWrongUse = 2;   ///< wrong use or bad input

/// Wrong use: names the option, the value found and what was expected.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The input was right, but the work could not be done.
class WorkError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An option or positional that a command has, to say more of it.
class Option {
public:
    explicit Option(CLI::Option* option)
        : m_option(option)
    {
    }
    Option& required();
    Option& showDefault(); ///< the value that it has now, in --help and in the manual
    Option& withCommas();  ///< each part of "a,b" is a value
    Option& needs(const Option& other);
    Option& excludes(const Option& other);

private:
    CLI::Option* m_option;
};

/// A command, or the program itself. --help, manual, completions and suggestions follow from what is declared
/// here; CLI11 parses, behind this interface.
class Command {
public:
    /// Where a value goes; it must live until the command line is parsed.
    template <typename T> using Place = std::reference_wrapper<T>;
    using Value = std::variant<Place<std::string>, Place<std::vector<std::string>>, Place<int>, Place<double>,
                               Place<std::uint64_t>, Place<std::optional<int>>, Place<std::optional<double>>,
                               Place<std::optional<std::uint64_t>>>;

    /// The program.
    Command(const std::string& name, const std::string& description, const std::string& version);
    /// A command of it, as the parser knows it.
    explicit Command(std::shared_ptr<CLI::App> parser);

    Command& addCommand(const std::string& name, const std::string& description);
    void requireCommand(); ///< one of those that it has
    void hide();           ///< not for people

    /// `names` are "-o,--output", or "study" for a positional; --help calls the value `valueName`.
    Option option(const std::string& names, Value value, const Kind& kind, const std::string& valueName,
                  const std::string& help);
    Option flag(const std::string& name, bool& isGiven, const std::string& help);
    /// What is to be done, once everything is parsed.
    void whenCalled(const std::function<void()>& work);

    /// Whether this option stands on the line.
    bool isGiven(const std::string& option) const;

    /// Prints what shells and the build ask for; false: something else is asked for.
    bool answersShell(int argc, char** argv) const;

    /// Parses, and does what is to be done. Help and version are printed. Throws UsageError where the parser
    /// finds something wrong: what and where, what was expected, which option was probably meant, and where
    /// the options are listed.
    void execute(int argc, char** argv);

private:
    Completion completeValue(const TypedValue& value) const;
    const Kind::Offer* findOffer(const CLI::Option* option) const;

    std::shared_ptr<CLI::App> m_parser;
    std::map<const CLI::Option*, Kind::Offer> m_offers;
    std::list<Command> m_commands;
};

/// Whether the arguments ask for completions or for the manual.
bool isAskedByShell(int argc, char** argv);

/// Every command takes part in parsing and leaves its exit status here.
struct CommandLine {
    Command& program;
    int argc = 0;
    char** argv = nullptr;
    int exitStatus = kDone;
};

/// What all commands that read a study have in common.
struct StudyOption {
    std::string path;
    bool json = false;
};

/// Adds the study's path and --json to a command.
void addStudyOption(Command& command, StudyOption& option);

/// Reads document and journal; warnings go to standard error. Throws study::DocumentError.
study::Study readStudy(const std::string& path);

/// Adds runs to the study's file, with what a runner left in the journal folded in; their ids.
std::vector<int> addRunsToFile(const std::string& path, const std::vector<study::Settings>& settings,
                               study::RunKind kind);

/// On standard error, as a warning.
void warn(const std::string& message);

/// Throws UsageError naming the option and the study's responses or factors when there is none of this name.
void requireResponse(const study::Study& study, const std::string& option, const std::string& name);
const study::Factor& requireFactor(const study::Study& study, const std::string& option,
                                   const std::string& name);

/// "name=value" in two. Throws UsageError.
std::pair<std::string, std::string> splitAssignment(const std::string& option, const std::string& text);

/// A finite number in the C locale. Throws UsageError naming the option.
double readNumber(const std::string& option, const std::string& text);
int readInteger(const std::string& option, const std::string& text, int least, int most);

/// The names of factors, responses, sections, …
template <typename Items> std::vector<std::string> namesOf(const Items& items)
{
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const auto& item : items)
        names.emplace_back(item.name);
    return names;
}

/// The value of a factor as typed: a number, or one of its level names. Throws UsageError.
study::Value readValue(const study::Factor& factor, const std::string& option, const std::string& text);

/// "name=value,name=value", in one list or several; each factor at most once. Throws UsageError.
study::Settings readAssignments(const study::Study& study, const std::string& option,
                                const std::vector<std::string>& lists);

/// Splits at a separator; empty parts are kept.
std::vector<std::string> split(const std::string& text, char separator);

} // namespace quadric::app
