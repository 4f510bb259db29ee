// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/changes_in_words.h"

#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <map>

namespace quadric::study {
namespace {

/// How many things of one kind have changed, by what has become of them.
struct Tally {
    std::string thing;
    int added = 0, removed = 0, changed = 0, measured = 0;
};

template <class Key, class Item>
Tally compare(std::string thing, const std::map<Key, Item>& before, const std::map<Key, Item>& after)
{
    Tally tally{std::move(thing)};
    for (const auto& [key, item] : before)
        tally.removed += after.contains(key) ? 0 : 1;
    for (const auto& [key, item] : after) {
        const auto old = before.find(key);
        if (old == before.end())
            ++tally.added;
        else if (old->second != item)
            ++tally.changed;
    }
    return tally;
}

template <class Item> std::map<std::string, Item> byName(const std::vector<Item>& items)
{
    std::map<std::string, Item> named;
    for (const Item& item : items)
        named.emplace(item.name, item);
    return named;
}

Tally compareRuns(const Study& before, const Study& after)
{
    std::map<int, Run> old, now;
    for (Run& run : allRuns(before))
        old.emplace(run.id, std::move(run));
    for (Run& run : allRuns(after))
        now.emplace(run.id, std::move(run));
    Tally tally = compare("run", old, now);
    for (const auto& [id, run] : now) {
        const auto known = old.find(id);
        if (known == old.end() || !known->second.results.empty() || run.results.empty())
            continue;
        ++tally.measured;
        --tally.changed;
    }
    return tally;
}

void addCounts(const std::vector<Tally>& tallies, int Tally::*count, const std::string& verb,
               std::vector<std::string>& parts)
{
    std::vector<std::string> things;
    int all = 0;
    for (const Tally& tally : tallies) {
        all += tally.*count;
        if (tally.*count != 0)
            things.push_back(text::formatCount(tally.*count, tally.thing));
    }
    if (!things.empty())
        parts.push_back(text::formatList(things) + (all == 1 ? " was " : " were ") + verb);
}

std::vector<std::string> changedMembers(const Study& before, const Study& after)
{
    std::vector<std::string> names;
    const auto note = [&](bool isSame, const char* name) {
        if (!isSame)
            names.emplace_back(name);
    };
    note(before.name == after.name, "the name");
    note(before.description == after.description, "the description");
    note(before.fixed == after.fixed, "the fixed settings");
    note(before.constraints == after.constraints, "the constraints");
    note(before.design == after.design, "the design");
    note(before.model == after.model, "the model");
    note(before.derived == after.derived, "the derived responses");
    note(before.benchmark == after.benchmark, "the measurement");
    note(before.unknown == after.unknown, "further keys");
    return names;
}

} // namespace

std::string changesInWords(const Study& before, const Study& after)
{
    const std::vector<Tally> tallies = {
        compare("factor", byName(before.factors), byName(after.factors)),
        compare("response", byName(before.responses), byName(after.responses)), compareRuns(before, after)};
    std::vector<std::string> parts;
    addCounts(tallies, &Tally::added, "added", parts);
    addCounts(tallies, &Tally::removed, "removed", parts);
    addCounts(tallies, &Tally::measured, "given results", parts);
    addCounts(tallies, &Tally::changed, "changed", parts);
    if (const auto names = changedMembers(before, after); !names.empty()) {
        const bool isOne = names.size() == 1 && !names.front().ends_with('s');
        parts.push_back(text::formatList(names) + (isOne ? " was changed" : " were changed"));
    }
    return text::joinWords(parts);
}

} // namespace quadric::study
