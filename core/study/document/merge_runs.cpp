// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/merge_parts.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <set>

namespace quadric::study {
namespace {

using RunsById = std::map<int, Run>;

RunsById runsById(const Study& study)
{
    RunsById runs;
    for (Run& run : allRuns(study))
        runs.emplace(run.id, std::move(run));
    return runs;
}

const Run* findById(const RunsById& runs, int id)
{
    const auto found = runs.find(id);
    return found == runs.end() ? nullptr : &found->second;
}

bool isSameRun(const Run* a, const Run* b)
{
    return a && b ? *a == *b : a == b;
}

/// What was found out about a run or decided about it, without its place in the design.
Run factsOf(Run run)
{
    run.order = 0;
    run.block = 1;
    run.kind = RunKind::Design;
    return run;
}

/// Puts results where another side has none any more; a run that is excluded there stays so.
Run withResultsOf(Run run, const Run& measured)
{
    const Run place = run;
    run = measured;
    run.order = place.order;
    run.block = place.block;
    run.kind = place.kind;
    if (place.status == RunStatus::Excluded) {
        run.status = place.status;
        run.reason = place.reason;
    }
    return run;
}

template <class Value> Value pick(const Run* base, const Run& mine, const Run& theirs, Value Run::*member)
{
    return base && theirs.*member == base->*member ? mine.*member : theirs.*member;
}

std::string runConflictInWords(const Run& mine, const Run& theirs)
{
    const std::string run = "run " + std::to_string(mine.id);
    if (mine.results.empty() != theirs.results.empty())
        return run + (theirs.results.empty() ? " has results here and none in the file"
                                             : " has results in the file and none here");
    return run + (mine.settings == theirs.settings ? " has other results in the file than here"
                                                   : " was changed both here and in the file");
}

class RunMerger {
public:
    RunMerger(const MergeSides& sides, MergeResult& result)
        : m_base(runsById(sides.base))
        , m_mine(runsById(sides.mine))
        , m_theirs(runsById(sides.theirs))
        , m_prefer(sides.prefer)
        , m_result(result)
    {
    }

    void merge();

private:
    void mergeRun(int id);
    void followTheirs(const Run& base, const Run* theirs);
    void mergeChanges(const Run* base, const Run& mine, const Run& theirs);
    Run mergeFacts(const Run* base, const Run& mine, const Run& theirs);
    const Run& choose(const Run& mine, const Run& theirs);
    void put(const Run& run) { m_merged.push_back(run); }
    /// With a number of its own.
    void putBeside(const Run& run) { m_beside.push_back(run); }
    void placeRuns();

    RunsById m_base, m_mine, m_theirs;
    Prefer m_prefer;
    MergeResult& m_result;
    std::vector<Run> m_merged, m_beside;
};

void RunMerger::merge()
{
    std::vector<int> ids; // as they are listed there, then those that are only here
    for (const Run& run : allRuns(m_result.study))
        ids.push_back(run.id);
    for (const auto& [id, run] : m_mine) {
        if (!m_theirs.contains(id))
            ids.push_back(id);
    }
    for (const int id : ids)
        mergeRun(id);
    placeRuns();
}

void RunMerger::mergeRun(int id)
{
    const Run* base = findById(m_base, id);
    const Run* mine = findById(m_mine, id);
    const Run* theirs = findById(m_theirs, id);
    if (isSameRun(mine, base) && base)
        followTheirs(*base, theirs);
    else if (mine && theirs && !isSameRun(theirs, base))
        mergeChanges(base, *mine, *theirs);
    else if (const Run* kept = mine || isSameRun(theirs, base) ? mine : theirs)
        put(*kept);
}

/// Only they have changed or removed the run.
void RunMerger::followTheirs(const Run& base, const Run* theirs)
{
    const bool hasOthers = theirs && !theirs->results.empty();
    const bool isKept = !base.results.empty() && !hasOthers;
    const bool isMoved = theirs && theirs->settings != base.settings;
    if (isKept && !isMeasured(base)) {
        m_result.conflicts.push_back(runConflictInWords(base, theirs ? *theirs : Run{}));
        if (m_prefer == Prefer::Mine)
            put(base);
        else if (theirs)
            put(*theirs);
    } else if (isKept && isMoved) {
        put(*theirs);
        putBeside(base);
    } else if (isKept) {
        put(theirs ? withResultsOf(*theirs, base) : base);
    } else if (theirs) {
        put(*theirs);
        if (isMeasured(base) && theirs->results != base.results)
            m_result.replacedRuns.push_back(base.id);
    }
}

/// Both have changed the run, or added one with this id.
void RunMerger::mergeChanges(const Run* base, const Run& mine, const Run& theirs)
{
    if (mine.settings == theirs.settings) {
        Run merged = mergeFacts(base, mine, theirs);
        merged.order = pick(base, mine, theirs, &Run::order);
        merged.block = pick(base, mine, theirs, &Run::block);
        merged.kind = pick(base, mine, theirs, &Run::kind);
        put(merged);
    } else if (!base || !mine.results.empty() || !theirs.results.empty()) {
        put(theirs);
        putBeside(mine);
    } else {
        put(choose(mine, theirs));
    }
}

Run RunMerger::mergeFacts(const Run* base, const Run& mine, const Run& theirs)
{
    const bool isMineNews = !base || factsOf(mine) != factsOf(*base);
    const bool areTheirsNews = !base || factsOf(theirs) != factsOf(*base);
    if (mine.results.empty() != theirs.results.empty())
        return mine.results.empty() ? withResultsOf(mine, theirs) : withResultsOf(theirs, mine);
    if (!areTheirsNews)
        return mine;
    if (!isMineNews && isMeasured(mine) && mine.results != theirs.results)
        m_result.replacedRuns.push_back(mine.id);
    if (!isMineNews)
        return theirs;
    if (mine.results != theirs.results)
        return choose(mine, theirs);
    return mine.status == RunStatus::Excluded ? mine : theirs;
}

const Run& RunMerger::choose(const Run& mine, const Run& theirs)
{
    m_result.conflicts.push_back(runConflictInWords(mine, theirs));
    return m_prefer == Prefer::Mine ? mine : theirs;
}

/// No id is used twice, also not one that a removed run had: logs go by it.
void RunMerger::placeRuns()
{
    int id = 0, order = 0;
    for (const RunsById* runs : {&m_base, &m_mine, &m_theirs}) {
        for (const auto& [each, run] : *runs) {
            id = std::max(id, each);
            order = std::max(order, run.order);
        }
    }
    for (Run& run : m_beside) {
        run.id = ++id;
        run.order = ++order;
        put(run);
    }
    m_result.study.runs.clear();
    m_result.study.baselines.clear();
    std::set<int> orders;
    for (Run& run : m_merged) {
        if (run.kind == RunKind::Baseline) {
            putBaseline(m_result.study, run);
            continue;
        }
        if (!orders.insert(run.order).second && !m_base.contains(run.id))
            orders.insert(run.order = ++order);
        m_result.study.runs.push_back(run);
    }
}

} // namespace

bool isMeasured(const Run& run)
{
    const Source source = run.provenance.source;
    return !run.results.empty() && source != Source::Typed && source != Source::Imported;
}

void mergeRuns(const MergeSides& sides, MergeResult& result)
{
    result.study.runs = sides.theirs.runs;
    result.study.baselines = sides.theirs.baselines;
    RunMerger(sides, result).merge();
}

} // namespace quadric::study
