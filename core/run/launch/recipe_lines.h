// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace quadric::run {

/// A word as a shell takes it, with everything visible: plain, 'in single quotes', or where it contains what
/// a reader cannot see (control characters, other blanks, two blanks in a row) as $'…' with escapes.
std::string quoteWord(const std::string& word);

/// The words, each quoted, with a blank between.
std::string quoteCommand(const std::vector<std::string>& words);

/// "  label: words", of at most 80 bytes a line and therefore columns. Further words follow behind "\" and
/// ">", the rest of a long one behind ">": a word can neither move text out of sight nor look like another
/// line. Words are expected to be quoted.
std::string makeLabeledLine(const std::string& label, const std::vector<std::string>& words);

/// One thing that decides what is executed, in words that are quoted (quoteWord()).
struct RecipeLine {
    std::string label; ///< "Folder", "Variable", "Levels"
    std::vector<std::string> words;
    bool operator==(const RecipeLine&) const = default;
};

/// What a recipe (ApprovalRequest::recipe()) consists of but for its command. What is there in another form
/// than ours is shown as JSON.
std::vector<RecipeLine> makeRecipeLines(const nlohmann::json& recipe);

/// What is different in `now`, one line for each thing that has changed: "  Variable: A=1 → A=2",
/// "  Levels: added …". Of the command only the arguments that differ are named, with the option that they
/// belong to.
std::string describeChanges(const nlohmann::json& before, const nlohmann::json& now);

/// The arguments in `recipe`, quoted.
std::vector<std::string> findArguments(const nlohmann::json& recipe);

} // namespace quadric::run
