// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/run_records.h"

#include "core/workload/knob.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace quadric::study {

void putBaseline(Study& study, const Run& baseline)
{
    const auto place = std::ranges::lower_bound(study.baselines, baseline.id, {}, &Run::id);
    if (place != study.baselines.end() && place->id == baseline.id)
        *place = baseline;
    else
        study.baselines.insert(place, baseline);
}

void putRuns(Study& study, const std::vector<Run>& records)
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
            study.runs[at->second] = record;
    }
    study.baselines.clear();
    for (auto& [id, baseline] : baselines)
        study.baselines.push_back(std::move(baseline));
}

Study withoutRuns(Study study)
{
    study.runs.clear();
    study.baselines.clear();
    return study;
}

std::vector<Run> allRuns(const Study& study)
{
    std::vector<Run> runs = study.runs;
    runs.insert(runs.end(), study.baselines.begin(), study.baselines.end());
    return runs;
}

std::string trainerSettingOf(const Factor& factor)
{
    return std::string(workload::knobName(factor.binds.empty() ? factor.name : factor.binds));
}

const Value* settingOf(const Run& baseline, const Factor& factor)
{
    const auto found = baseline.settings.find(trainerSettingOf(factor));
    return found == baseline.settings.end() ? nullptr : &found->second;
}

void settleRunning(Study& study)
{
    for (std::vector<Run>* runs : {&study.runs, &study.baselines}) {
        for (Run& run : *runs) {
            if (run.status == RunStatus::Running)
                run.status = RunStatus::Pending;
        }
    }
}

int largestRunId(const Study& study)
{
    int largest = 0;
    for (const std::vector<Run>* runs : {&study.runs, &study.baselines}) {
        for (const Run& run : *runs)
            largest = std::max(largest, run.id);
    }
    return largest;
}

} // namespace quadric::study
