// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval_question.h"

#include "core/machine/json_text.h"
#include "core/text/visible_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace quadric::run {

namespace {

using Fact = nlohmann::json;

constexpr std::size_t kLineBytes = 72; ///< no character has more columns than bytes

/// Blanks that look like the common one, or like several.
constexpr std::array<std::string_view, 17> kOtherBlanks = {
    "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
    "\u2007", "\u2008", "\u2009", "\u200a", "\u202f", "\u205f", "\u3000", "\u2028"};

std::string escapeBlank(std::string_view blank)
{
    std::string escape = "\\u{";
    const std::string json = Fact(std::string(blank)).dump(-1, ' ', true); // "\u00a0"
    return escape + json.substr(3, 4) + "}";
}

/// What can be seen of a JSON text: a second blank in a row, and every other kind of blank, is an escape.
std::string shownText(const std::string& json)
{
    std::string shown = text::makeVisible(json);
    for (const std::string_view blank : kOtherBlanks) {
        for (std::size_t at = shown.find(blank); at != shown.npos; at = shown.find(blank, at + 1))
            shown.replace(at, blank.size(), escapeBlank(blank));
    }
    for (std::size_t at = shown.find("  "); at != shown.npos; at = shown.find("  ", at + 1))
        shown.replace(at + 1, 1, "\\x20");
    return shown;
}

std::string shownValue(const Fact& value)
{
    return value.is_null() ? "nothing" : shownText(machine::textOf(value));
}

/// Where the next line begins: between characters.
std::size_t breakOf(std::string_view text, std::size_t most)
{
    if (text.size() <= most)
        return text.size();
    while (most > 1 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;
    return most;
}

/// "  label: value", and the rest of a long value behind ">".
std::string makeLine(const std::string& label, const std::string& value)
{
    std::string text = "  " + label + ": ";
    std::string_view rest = value;
    std::size_t room = kLineBytes - std::min(text.size(), kLineBytes / 2);
    do {
        const std::size_t size = breakOf(rest, room);
        text += std::string(rest.substr(0, size)) + "\n";
        rest.remove_prefix(size);
        room = kLineBytes;
        text += rest.empty() ? "" : "    > ";
    } while (!rest.empty());
    return text;
}

std::string describe(const std::string& name, const FileDigest& digest)
{
    const std::string size = shownValue(name) + ", " + std::to_string(digest.size) + " bytes";
    if (digest.sha256.empty())
        return size + ", unreadable: only its size is watched";
    return digest.looked == digest.size ? size
                                        : size + " (first " + std::to_string(digest.looked) + " watched)";
}

/// What the batch script is told, an option or a line of shell each.
std::string slurmLines(const Fact& slurm)
{
    std::string lines;
    for (const auto& [key, value] : slurm.items()) {
        const Fact each = value.is_array() ? value : Fact::array({value});
        for (const Fact& one : each) {
            const bool isUnset = one.is_string() && one.get<std::string>().empty();
            lines += isUnset ? "" : makeLine("slurm." + key, shownValue(one));
        }
    }
    return lines;
}

std::string commandLines(const Fact& recipe, const std::string& program)
{
    std::string lines;
    const Fact argv = recipe.value("argv", Fact::array());
    for (std::size_t i = 0; i < argv.size(); ++i)
        lines += makeLine("argv[" + std::to_string(i) + "]", shownValue(argv[i]));
    if (!program.empty())
        lines += makeLine("program", shownValue(program));
    const Fact env = recipe.value("env", Fact::object());
    for (const auto& [name, value] : env.items())
        lines += makeLine("env", shownValue(name + "=" + value.get<std::string>()));
    lines += makeLine("folder", shownValue(recipe["folder"]));
    for (const char* key : {"texts", "parse"}) {
        if (recipe.contains(key) && !recipe[key].empty())
            lines += makeLine(key, shownValue(recipe[key]));
    }
    return lines + slurmLines(recipe.value("slurm", Fact::object()));
}

std::string watchedLines(const QuestionFacts& facts, const Fact& recipe)
{
    std::string lines;
    std::set<std::string> written;
    if (facts.last.approval)
        written = facts.last.approval->written;
    for (const auto& [name, digest] : facts.files) {
        if (!written.contains(name))
            lines += makeLine("watched file", describe(name, digest));
    }
    const Fact unwatched = recipe.value("unwatched", Fact::array());
    for (const Fact& each : unwatched)
        lines += makeLine("not watched", shownValue(each));
    for (const std::string& name : written)
        lines += makeLine("not watched", shownValue(name) + ", which the command writes");
    const std::string first = lines.empty()
                                  ? "The command names no file beside the study.\n"
                                  : "Quadric asks again when the content of a watched file changes:\n";
    return first + lines + "What a command reads or imports, data, and programs elsewhere are not watched.\n";
}

std::string changedLines(const Fact& before, const Fact& now)
{
    std::string lines;
    Fact all = now;
    all.update(before);
    for (const auto& [key, ignored] : all.items()) {
        const Fact old = before.value(key, Fact());
        const Fact current = now.value(key, Fact());
        if (old != current)
            lines += makeLine(key + ": was", shownValue(old)) + makeLine(key + ": now", shownValue(current));
    }
    return lines;
}

std::string changedFileLine(const std::string& name, const StoredApproval& approval, const FileDigests& now)
{
    if (approval.rewritten.contains(name))
        return makeLine(
            "file",
            shownValue(name) +
                " changed in run after run: the command writes it. It is not watched once this is approved");
    const char* what = !now.contains(name)             ? " is not there any more"
                       : approval.files.contains(name) ? " has another content"
                                                       : " is new";
    return makeLine("file", shownValue(name) + what);
}

std::string changes(const QuestionFacts& facts, const Fact& recipe)
{
    if (facts.last.isOfEarlierVersion)
        return "An earlier version of Quadric approved this study without its files. It asks again once.\n";
    if (!facts.last.approval)
        return {};
    const StoredApproval& approval = *facts.last.approval;
    std::string lines = changedLines(Fact::parse(approval.recipe), recipe);
    for (const std::string& name : findChangedFiles(approval, facts.files))
        lines += changedFileLine(name, approval, facts.files);
    return lines.empty() ? lines : "Changed since it was approved:\n" + lines;
}

} // namespace

std::string makeApprovalQuestion(const QuestionFacts& facts)
{
    const Fact recipe = Fact::parse(facts.recipe);
    return "This study wants to run:\n" + commandLines(recipe, facts.program) + watchedLines(facts, recipe) +
           changes(facts, recipe);
}

} // namespace quadric::run
