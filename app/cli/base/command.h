// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/document.h"

#include <CLI/CLI.hpp>

#include <stdexcept>
#include <string>
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

/// Every command takes part in parsing and leaves its exit status here.
struct CommandLine {
    CLI::App& app;
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
void addStudyOption(CLI::App& command, StudyOption& option);

/// Reads document and journal; warnings go to standard error. Throws study::DocumentError.
study::Study readStudy(const std::string& path);

/// The same without warnings about parts of the file that do not matter here.
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

/// Lets an option take whole numbers of a range only; the parser refuses others with "--runs: 0, expected a
/// whole number from 1 to 1000".
CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most);

/// Lets an option take one of these words only; the parser refuses others as text::describeUnknown() says it.
CLI::Validator oneOf(const std::vector<std::string>& words);

/// The names of factors, responses, sections, …
template <typename Items> std::vector<std::string> namesOf(const Items& items)
{
    std::vector<std::string> names;
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
