// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/record_merge.h"

#include "core/study/run_records.h"

#include <algorithm>

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

/// True where the record belongs there; false where it must not be taken.
bool fits(const KnownRun& known, const Study& study)
{
    const Run& now = *known.now;
    const bool isBaseline = now.kind == RunKind::Baseline;
    const auto baseline = std::ranges::find(study.baselines, now.id, &Run::id);
    const Run* run = findRun(study, now.id);
    if (isBaseline)
        return !run;
    if (baseline != study.baselines.end())
        return false;
    if (!run)
        return hasEnded(now);
    return run->settings == now.settings && run->kind == now.kind && !isByOthers(*run, known);
}

} // namespace

std::vector<int> mergeRecords(std::span<const KnownRun> known, Study& study)
{
    std::vector<int> left;
    std::vector<Run> taken;
    for (const KnownRun& run : known) {
        if (fits(run, study))
            taken.push_back(*run.now);
        else if (hasEnded(*run.now))
            left.push_back(run.now->id);
    }
    putRuns(study, taken);
    return left;
}

} // namespace quadric::study
