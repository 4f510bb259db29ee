// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/renames.h"

#include "core/run/recipe/recipe.h"
#include "core/study/derived.h"

#include <algorithm>

namespace quadric::run {

namespace {

std::string renamed(const std::string& name, const Names& names)
{
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
}

/// A map from names to anything.
template <typename Map> void renameKeys(Map& map, const Names& names)
{
    Map after;
    for (auto& [name, value] : map)
        after[renamed(name, names)] = std::move(value);
    map = std::move(after);
}

bool isOfIdentifier(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// In constraints and formulas, but not in the quoted names of levels.
void renameIdentifiers(std::string& text, const Names& names)
{
    std::string after;
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (!isQuoted && end < text.size() && isOfIdentifier(text[end]))
            ++end;
        if (end > i) {
            after += renamed(text.substr(i, end - i), names);
            i = end;
            continue;
        }
        isQuoted = (text[i] == '"') != isQuoted;
        after += text[i++];
    }
    text = std::move(after);
}

void renameIn(study::Benchmark& benchmark, const Names& names)
{
    for (std::string& argument : benchmark.argv)
        argument = withPlaceholdersRenamed(argument, names);
    for (auto& [name, value] : benchmark.env)
        value = withPlaceholdersRenamed(value, names);
    benchmark.parse.file = withPlaceholdersRenamed(benchmark.parse.file, names);
}

bool hasOwnName(const std::vector<std::string>& names, std::size_t row)
{
    return !names[row].empty() && std::ranges::count(names, names[row]) == 1;
}

} // namespace

study::Study withFactorsRenamed(study::Study study, const Names& names)
{
    if (names.empty())
        return study;
    renameIn(study.benchmark, names);
    for (std::string& constraint : study.constraints)
        renameIdentifiers(constraint, names);
    study::renameDerived(study, {}, [&names](std::string& text) { renameIdentifiers(text, names); });
    for (auto& [response, formula] : study.model)
        renameIdentifiers(formula, names);
    renameIdentifiers(study.design.model, names);
    renameKeys(study.design.levels, names);
    for (study::Run& run : study.runs)
        renameKeys(run.settings, names);
    return study;
}

study::Study withResponsesRenamed(study::Study study, const Names& names)
{
    if (names.empty())
        return study;
    renameKeys(study.model, names);
    renameKeys(study.benchmark.parse.patterns, names);
    study::renameDerived(study, names, [&names](std::string& text) { renameIdentifiers(text, names); });
    for (std::vector<study::Run>* runs : {&study.runs, &study.baselines}) {
        for (study::Run& run : *runs) {
            renameKeys(run.results, names);
            renameKeys(run.spread, names);
        }
    }
    return study;
}

void RenameTracker::show(const std::vector<std::string>& names)
{
    if (names == m_shown)
        return;
    m_shown = names;
    m_mentioned = names;
}

Names RenameTracker::take(const std::vector<std::string>& names)
{
    if (names.size() != m_shown.size()) {
        show(names);
        return {};
    }
    m_shown = names;
    Names renames;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == m_mentioned[i] || !hasOwnName(names, i))
            continue;
        renames[m_mentioned[i]] = names[i];
        m_mentioned[i] = names[i];
    }
    return renames;
}

} // namespace quadric::run
