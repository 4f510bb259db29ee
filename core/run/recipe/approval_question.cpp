// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval_question.h"

#include "core/run/launch/recipe_lines.h"
#include "core/run/launch/shell_words.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace quadric::run {

namespace {

using Recipe = nlohmann::json;

std::string describe(const std::string& name, const FileDigest& digest)
{
    const std::string size = quoteWord(name) + ", " + std::to_string(digest.size) + " bytes";
    if (digest.sha256.empty())
        return size + ", unreadable: only its size is watched";
    return digest.looked == digest.size ? size
                                        : size + " (first " + std::to_string(digest.looked) + " watched)";
}

/// As it is written, and as the first run fills it in.
std::string commandLines(const QuestionFacts& facts, const Recipe& recipe)
{
    const std::vector<std::string> written = findArguments(recipe);
    if (written.empty())
        return {};
    std::string lines = makeLabeledLine("Command", written);
    std::vector<std::string> filled;
    std::ranges::transform(facts.firstRun, std::back_inserter(filled), quoteWord);
    if (!filled.empty() && filled != written)
        lines += makeLabeledLine("First run", filled);
    if (!facts.program.empty())
        lines += makeLabeledLine("Program", {quoteWord(facts.program)});
    return lines;
}

std::string otherLines(const std::vector<RecipeLine>& recipe, bool isWatching)
{
    std::string lines;
    for (const RecipeLine& line : recipe) {
        if ((line.label == "Not watched") == isWatching)
            lines += makeLabeledLine(line.label, line.words);
    }
    return lines;
}

std::string watchedLines(const QuestionFacts& facts, const std::vector<RecipeLine>& recipe)
{
    std::string lines;
    std::set<std::string> written;
    if (facts.last.approval)
        written = facts.last.approval->written;
    for (const auto& [name, digest] : facts.files) {
        if (!written.contains(name))
            lines += makeLabeledLine("Watched file", {describe(name, digest)});
    }
    lines += otherLines(recipe, true);
    for (const std::string& name : written)
        lines += makeLabeledLine("Not watched", {quoteWord(name) + ", which the command writes"});
    const std::string first = lines.empty()
                                  ? "The command names no file beside the study.\n"
                                  : "Quadric asks again when the content of a watched file changes:\n";
    return first + lines + "What a command reads or imports, data, and programs elsewhere are not watched.\n";
}

std::string changedFileLine(const std::string& name, const StoredApproval& approval, const FileDigests& now)
{
    if (approval.rewritten.contains(name))
        return makeLabeledLine("File", {quoteWord(name), "changed in run after run: the command writes it.",
                                        "It is not watched once this is approved."});
    const char* what = !now.contains(name)             ? "is missing"
                       : approval.files.contains(name) ? "has another content"
                                                       : "is new";
    return makeLabeledLine("File", {quoteWord(name), what});
}

std::string changes(const QuestionFacts& facts, const Recipe& recipe)
{
    if (facts.last.isOfEarlierVersion)
        return "An earlier version of Quadric approved this study without its files. It asks again once.\n";
    if (!facts.last.approval)
        return {};
    const StoredApproval& approval = *facts.last.approval;
    std::string lines = describeChanges(Recipe::parse(approval.recipe), recipe);
    for (const std::string& name : findChangedFiles(approval, facts.files))
        lines += changedFileLine(name, approval, facts.files);
    return lines.empty() ? lines : "Changed since it was approved:\n" + lines;
}

} // namespace

std::string makeApprovalQuestion(const QuestionFacts& facts)
{
    const Recipe recipe = Recipe::parse(facts.recipe);
    const std::vector<RecipeLine> lines = makeRecipeLines(recipe);
    return changes(facts, recipe) + "This study wants to run:\n" + commandLines(facts, recipe) +
           otherLines(lines, false) + watchedLines(facts, lines);
}

} // namespace quadric::run
