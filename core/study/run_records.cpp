// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/run_records.h"

#include "core/workload/knob.h"

#include <algorithm>

namespace quadric::study {

void putBaseline(Study& study, const Run& baseline)
{
    const auto place = std::ranges::lower_bound(study.baselines, baseline.id, {}, &Run::id);
    if (place != study.baselines.end() && place->id == baseline.id)
        *place = baseline;
    else
        study.baselines.insert(place, baseline);
}

void putRun(Study& study, const Run& run)
{
    if (run.kind == RunKind::Baseline)
        putBaseline(study, run);
    else if (Run* known = findRun(study, run.id))
        *known = run;
    else
        study.runs.push_back(run);
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
    for (Run run : allRuns(study)) {
        if (run.status != RunStatus::Running)
            continue;
        run.status = RunStatus::Pending;
        putRun(study, run);
    }
}

int largestRunId(const Study& study)
{
    int largest = 0;
    for (const Run& run : allRuns(study))
        largest = std::max(largest, run.id);
    return largest;
}

} // namespace quadric::study
