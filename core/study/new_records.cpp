// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/new_records.h"

#include "core/study/run_records.h"

#include <map>
#include <unordered_map>

namespace quadric::study {

Run withRecord(const Run& run, const Run& record)
{
    const bool hasEnded = record.status == RunStatus::Done || record.status == RunStatus::Failed;
    const bool isExcluded = run.status == RunStatus::Excluded;
    if (!hasEnded && (isExcluded || run.status == RunStatus::Done))
        return run;
    Run known = record;
    if (isExcluded && hasEnded) {
        known.status = RunStatus::Excluded;
        known.reason = run.reason;
        known.failure.reset();
    }
    return known;
}

void takeRecords(Study& study, const std::vector<Run>& records)
{
    std::unordered_map<int, std::size_t> positions;
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        positions.emplace(study.runs[i].id, i);
    std::map<int, Run> baselines;
    for (Run& baseline : study.baselines)
        baselines.insert_or_assign(baseline.id, std::move(baseline));
    for (const Run& record : records) {
        if (record.kind == RunKind::Baseline)
            baselines.insert_or_assign(record.id, record);
        else if (const auto [at, isNew] = positions.emplace(record.id, study.runs.size()); isNew)
            study.runs.push_back(record);
        else
            study.runs[at->second] = withRecord(study.runs[at->second], record);
    }
    study.baselines.clear();
    for (auto& [id, baseline] : baselines)
        study.baselines.push_back(std::move(baseline));
}

Study withNewRecords(Study after, const Study& before, const Study& now)
{
    for (const Run& run : now.runs) {
        const Run* old = findRun(before, run.id);
        Run* edited = findRun(after, run.id);
        if (old && edited && *old != run && edited->settings == run.settings)
            *edited = withRecord(*edited, run);
    }
    for (const Run& baseline : now.baselines)
        insertOrReplaceBaseline(after, baseline);
    return after;
}

} // namespace quadric::study
