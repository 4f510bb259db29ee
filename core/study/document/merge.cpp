// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/merge.h"

#include "core/study/document/merge_parts.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <algorithm>
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

} // namespace quadric::study
