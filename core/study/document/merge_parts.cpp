// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/merge_parts.h"

#include "core/study/document/json.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <set>

namespace quadric::study {

namespace {

/// Where in the document a value is: as a path of keys, and in words ("weight of response loss").
struct Place {
    std::string path = {};
    std::string words = {};
};

enum class MergeUnit {
    Members,      ///< objects: member by member
    NamedWholes,  ///< list of objects: each one as a whole, matched by name
    NamedMembers, ///< list of objects: each one member by member, matched by name
    Texts,        ///< list of texts: a set
    Whole
};

/// What belongs together is one unit: the options of a design, the range of a factor, the views of a page.
MergeUnit unitOf(const std::string& path)
{
    static const std::map<std::string, MergeUnit> units = {{"factors", MergeUnit::NamedWholes},
                                                           {"responses", MergeUnit::NamedMembers},
                                                           {"constraints", MergeUnit::Texts},
                                                           {"design", MergeUnit::Whole},
                                                           {"benchmark.parse", MergeUnit::Whole}};
    if (path.starts_with("view."))
        return MergeUnit::Whole;
    const auto found = units.find(path);
    return found == units.end() ? MergeUnit::Members : found->second;
}

Place memberPlace(const Place& parent, const std::string& key)
{
    std::string words = key;
    std::ranges::replace(words, '_', ' ');
    if (parent.path.empty())
        return {key, "the " + words};
    const bool isArticled = parent.words.starts_with("the ");
    return {parent.path + "." + key, "the " + words + " of " + (isArticled ? "" : "the ") + parent.words};
}

Place namedPlace(const Place& list, const std::string& name)
{
    return {list.path + "." + name, (list.path == "factors" ? "factor " : "response ") + name};
}

/// Null: not there.
using Found = const Json*;
using Merged = std::optional<Json>;

Found findMember(Found object, const std::string& key)
{
    if (!object || !object->is_object())
        return nullptr;
    const auto found = object->find(key);
    return found == object->end() ? nullptr : &*found;
}

Found findByName(Found list, const std::string& name)
{
    if (!list || !list->is_array())
        return nullptr;
    const auto found =
        std::ranges::find_if(*list, [&](const Json& item) { return item.value("name", "") == name; });
    return found == list->end() ? nullptr : &*found;
}

bool isSame(Found a, Found b)
{
    return a && b ? *a == *b : a == b;
}

Merged copyOf(Found value)
{
    return value ? Merged(*value) : std::nullopt;
}

bool contains(Found list, const Json& item)
{
    return list && list->is_array() && std::ranges::find(*list, item) != list->end();
}

/// Three versions of the same value.
struct Three {
    Found base, mine, theirs;
};

class MemberMerger {
public:
    MemberMerger(Prefer prefer, std::vector<std::string>& conflicts)
        : m_prefer(prefer)
        , m_conflicts(conflicts)
    {
    }

    Merged merge(const Three& three, const Place& place);

private:
    Json mergeObjects(const Three& three, const Place& place);
    Json mergeNamed(const Three& three, const Place& place);
    static Json mergeTexts(const Three& three);
    Merged choose(const Three& three, const Place& place);

    Prefer m_prefer;
    std::vector<std::string>& m_conflicts;
};

Merged MemberMerger::merge(const Three& three, const Place& place)
{
    const auto& [base, mine, theirs] = three;
    if (isSame(mine, theirs) || isSame(theirs, base))
        return copyOf(mine);
    if (isSame(mine, base))
        return copyOf(theirs);
    const MergeUnit unit = unitOf(place.path);
    if (!mine || !theirs || unit == MergeUnit::Whole || mine->type() != theirs->type())
        return choose(three, place);
    if (mine->is_object())
        return mergeObjects(three, place);
    if (mine->is_array() && unit == MergeUnit::Texts)
        return mergeTexts(three);
    if (mine->is_array() && unit != MergeUnit::Members)
        return mergeNamed(three, place);
    return choose(three, place);
}

Json MemberMerger::mergeObjects(const Three& three, const Place& place)
{
    std::set<std::string> keys;
    for (const Found side : {three.mine, three.theirs}) {
        for (const auto& item : side->items())
            keys.insert(item.key());
    }
    Json merged = Json::object();
    for (const std::string& key : keys) {
        const Three member{findMember(three.base, key), findMember(three.mine, key),
                           findMember(three.theirs, key)};
        if (Merged value = merge(member, memberPlace(place, key)))
            merged[key] = std::move(*value);
    }
    return merged;
}

/// Mine in their order, then what only they have.
Json MemberMerger::mergeNamed(const Three& three, const Place& place)
{
    std::vector<std::string> names;
    for (const Found side : {three.mine, three.theirs}) {
        for (const Json& item : *side) {
            const std::string name = item.value("name", "");
            if (std::ranges::find(names, name) == names.end())
                names.push_back(name);
        }
    }
    Json merged = Json::array();
    for (const std::string& name : names) {
        const Three item{findByName(three.base, name), findByName(three.mine, name),
                         findByName(three.theirs, name)};
        const Place at = namedPlace(place, name);
        const bool isOneSided = isSame(item.mine, item.base) || isSame(item.theirs, item.base);
        const bool isWhole = unitOf(place.path) == MergeUnit::NamedWholes;
        const bool isChosen = isWhole && !isOneSided && !isSame(item.mine, item.theirs);
        if (Merged value = isChosen ? choose(item, at) : merge(item, at))
            merged.push_back(std::move(*value));
    }
    return merged;
}

Json MemberMerger::mergeTexts(const Three& three)
{
    Json merged = Json::array();
    for (const Json& text : *three.mine) {
        if (contains(three.theirs, text) || !contains(three.base, text))
            merged.push_back(text);
    }
    for (const Json& text : *three.theirs) {
        if (!contains(three.mine, text) && !contains(three.base, text))
            merged.push_back(text);
    }
    return merged;
}

std::string conflictInWords(const Three& three, const std::string& place)
{
    if (!three.mine || !three.theirs)
        return place + (three.mine ? " was changed here and removed in the file"
                                   : " was removed here and changed in the file");
    const std::string mine = describe(*three.mine), theirs = describe(*three.theirs);
    if (mine == theirs || three.mine->is_structured() || three.theirs->is_structured())
        return place + " was changed both here and in the file";
    return place + " is " + mine + " here and " + theirs + " in the file";
}

Merged MemberMerger::choose(const Three& three, const Place& place)
{
    if (place.path == "view" || place.path.starts_with("view."))
        return copyOf(three.mine ? three.mine : three.theirs);
    m_conflicts.push_back(conflictInWords(three, place.words));
    return copyOf(m_prefer == Prefer::Mine ? three.mine : three.theirs);
}

Json memberJson(const Study& study)
{
    return parseJson(writeStudy(study), "study");
}

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
            insertOrReplaceBaseline(m_result.study, run);
            continue;
        }
        if (!orders.insert(run.order).second && !m_base.contains(run.id))
            orders.insert(run.order = ++order);
        m_result.study.runs.push_back(run);
    }
}

} // namespace

Study mergeMembers(const MergeSides& sides, std::vector<std::string>& conflicts)
{
    const Study base = withoutRuns(sides.base);
    Study mine = withoutRuns(sides.mine), theirs = withoutRuns(sides.theirs);
    if (mine == base || mine == theirs)
        return theirs;
    if (theirs == base)
        return mine;
    const Json ofBase = memberJson(base), ofMine = memberJson(mine), ofTheirs = memberJson(theirs);
    const Merged merged = MemberMerger(sides.prefer, conflicts).merge({&ofBase, &ofMine, &ofTheirs}, Place{});
    return parseStudy(merged->dump(), "both versions together").study;
}

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
