// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace quadric::app {

/// A word that may stand where the cursor is, and what it means.
struct Candidate {
    std::string word;
    std::string meaning = {};
};

/// Files that the shell offers by itself, beside the candidates.
enum class Files { None, Any, Studies, Folders };

struct Completion {
    std::vector<Candidate> candidates = {};
    Files files = Files::None;
};

/// One candidate for each item.
template <typename Items, typename ToCandidate>
Completion candidatesOf(const Items& items, ToCandidate toCandidate)
{
    Completion found;
    for (const auto& item : items)
        found.candidates.push_back(toCandidate(item));
    return found;
}

/// The value that is being typed, and what stands before it.
struct TypedValue {
    const CLI::App& command;
    const CLI::Option* option; ///< whose value it is; null: a word that the command has no option for
    std::string text;          ///< typed so far
    std::vector<std::string> positionals; ///< words of the command before it that belong to no option
};

/// What a value can be; candidates need not begin with the typed text.
using ValueWords = std::function<Completion(const TypedValue&)>;

/// `PROGRAM complete -- WORD...` or `PROGRAM complete --line LINE`, as the shells' completion files call it:
/// prints what may stand in place of the last word: commands, options, and the values that `values` knows, a
/// candidate a line, with its meaning behind a tab, and `:files`, `:studies` or `:folders` for files. Says
/// nothing else and never fails: an error completes nothing.
void printCompletion(const CLI::App& app, int argc, char** argv, const ValueWords& values);

/// Whether the arguments ask for that.
bool isCompletionRequest(int argc, char** argv);

/// The words of a line that is being typed, with quotes and backslashes taken as a shell takes them; nothing
/// is expanded. The last word is the one at the end of the line, empty behind a space.
std::vector<std::string> commandWords(std::string_view line);

} // namespace quadric::app
