// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/merge.h"

#include "core/study/document/merge_parts.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <map>
#include <set>

namespace quadric::study {

namespace {

constexpr int kSaveAttempts = 5;

std::map<int, const Run*> indexRuns(const Study& study)
{
    std::map<int, const Run*> index;
    for (const Run& run : study.runs)
        index.emplace(run.id, &run);
    return index;
}

bool hasFactorsOf(const Study& study, const Study& other)
{
    const auto isIn = [&](const Factor& factor) { return findFactor(other, factor.name) != nullptr; };
    return study.factors.empty() || other.factors.empty() || std::ranges::any_of(study.factors, isIn);
}

/// Studies with different ids are different ones. Otherwise most of the measured runs that both have are the
/// same: at the same settings, or with the same results where a factor has another name now. Without any,
/// factors of the same names tell.
bool isSameStudy(const Study& base, const Study& theirs)
{
    if (!base.id.empty() && !theirs.id.empty() && base.id != theirs.id)
        return false;
    const auto others = indexRuns(theirs);
    int same = 0, both = 0;
    for (const Run& run : base.runs) {
        const auto other = others.find(run.id);
        if (!isMeasured(run) || other == others.end())
            continue;
        ++both;
        same += other->second->settings == run.settings || other->second->results == run.results ? 1 : 0;
    }
    return both == 0 ? hasFactorsOf(base, theirs) : 2 * same >= both;
}

/// Sides that make no sound study together: the preferred one, with what the other has measured and fits it.
Study preferSide(const MergeSides& sides)
{
    const bool isMine = sides.prefer == Prefer::Mine;
    const Study& preferred = isMine ? sides.mine : sides.theirs;
    const Study& other = isMine ? sides.theirs : sides.mine;
    Study study = preferred;
    const auto others = indexRuns(other);
    for (Run& run : study.runs) {
        const auto found = others.find(run.id);
        if (found != others.end() && run.results.empty() && isMeasured(*found->second) &&
            found->second->settings == run.settings)
            run = *found->second;
    }
    const auto problems = validate(study);
    const bool isSound = std::ranges::none_of(problems, &Problem::isError);
    return isSound ? study : preferred;
}

/// Nothing is wrong that was not wrong before, on one side: a run without a factor of the other side, a
/// constraint on one that the other has removed.
void checkFit(const MergeSides& sides, const Study& merged)
{
    const std::vector<Problem> problems = validate(merged);
    if (problems.empty())
        return;
    std::set<std::string> known;
    for (const Study* side : {&sides.mine, &sides.theirs}) {
        for (const Problem& problem : validate(*side))
            known.insert(problem.message);
    }
    for (const Problem& problem : problems) {
        if (problem.isError || !known.contains(problem.message))
            throw DocumentError(problem.where + ": " + problem.message);
    }
}

std::string conflictsInWords(const MergeResult& merged)
{
    std::vector<std::string> words = merged.conflicts;
    if (!merged.replacedRuns.empty())
        words.push_back(text::formatRuns(merged.replacedRuns) + ": other results in the file");
    return text::formatList(words);
}

bool hasEnded(const Run& run)
{
    return run.status == RunStatus::Done || run.status == RunStatus::Failed;
}

/// A result that neither the runner has put there nor was there when it began.
bool isByOthers(const Run& found, const KnownRun& known)
{
    return found.status == RunStatus::Done && found.results != known.now->results &&
           !(known.before && found.results == known.before->results);
}

/// True where the record belongs in the place of `found`, the run of its id, if there is one.
bool fits(const KnownRun& known, const Run* found)
{
    const Run& now = *known.now;
    if (!found)
        return hasEnded(now);
    const bool isBaseline = now.kind == RunKind::Baseline;
    if (isBaseline || found->kind == RunKind::Baseline)
        return isBaseline && found->kind == RunKind::Baseline && known.isRecorded;
    if (found->settings != now.settings || found->kind != now.kind)
        return false;
    if (!known.isRecorded)
        return found->status == RunStatus::Pending || found->status == RunStatus::Running;
    return !isByOthers(*found, known);
}

/// A run that somebody has excluded meanwhile has its result, and stays excluded.
Run withExclusion(Run run, const Run* found)
{
    if (!found || found->status != RunStatus::Excluded || !hasEnded(run))
        return run;
    run.status = RunStatus::Excluded;
    run.reason = found->reason;
    run.failure.reset();
    return run;
}

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

MergeResult merge(const Study& base, const Study& mine, const Study& theirs, Prefer prefer)
{
    if (theirs == base)
        return {mine, {}, {}};
    const MergeSides sides{base, mine, theirs, prefer};
    if (!isSameStudy(base, theirs)) {
        const std::string name = theirs.name.empty() ? "without a name" : '"' + theirs.name + '"';
        return {prefer == Prefer::Mine ? mine : theirs, {"the file contains another study, " + name}, {}};
    }
    MergeResult result;
    try {
        result.study = mergeMembers(sides, result.conflicts);
        mergeRuns(sides, result);
        checkFit(sides, result.study);
    } catch (const DocumentError& error) {
        return {preferSide(sides),
                {std::string("the two versions do not fit together (") + error.what() + ")"},
                {}};
    }
    return result;
}

Study saveMerged(const Study& mine, const LoadedStudy& base, const std::filesystem::path& path)
{
    Study study = mine;
    DocumentState expected = base.state;
    for (int attempt = 1;; ++attempt) {
        try {
            saveStudy(study, path, expected);
            return study;
        } catch (const DocumentChanged&) {
            if (attempt == kSaveAttempts)
                throw;
        }
        const LoadedStudy theirs = loadStudy(path);
        MergeResult merged = merge(base.study, mine, theirs.study);
        if (!merged.conflicts.empty() || !merged.replacedRuns.empty())
            throw DocumentChanged(path.string() +
                                  ": not saved: another program has changed the study meanwhile (" +
                                  conflictsInWords(merged) + "); start the command again");
        study = std::move(merged.study);
        expected = theirs.state;
    }
}

std::vector<int> mergeRecords(std::span<const KnownRun> known, Study& study)
{
    std::map<int, Run*> places;
    for (std::vector<Run>* runs : {&study.runs, &study.baselines}) {
        for (Run& run : *runs)
            places.emplace(run.id, &run);
    }
    std::vector<int> left;
    std::vector<Run> added;
    for (const KnownRun& run : known) {
        const auto place = places.find(run.now->id);
        Run* found = place == places.end() ? nullptr : place->second;
        if (!fits(run, found)) {
            if (run.isRecorded && hasEnded(*run.now))
                left.push_back(run.now->id);
        } else if (found) {
            *found = withExclusion(*run.now, found);
        } else {
            added.push_back(*run.now);
        }
    }
    insertOrReplaceRuns(study, added);
    return left;
}

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
