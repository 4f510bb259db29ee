// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/record_merge.h"

#include "core/study/run_records.h"

#include <map>

namespace quadric::study {
namespace {

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

} // namespace

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
    putRuns(study, added);
    return left;
}

} // namespace quadric::study
