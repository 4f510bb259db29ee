// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/baselines.h"

#include "core/study/document_read.h"

#include <algorithm>

namespace quadric::study {

namespace {

void keep(Study& study, const std::vector<Run>& baselines)
{
    std::string list;
    for (const Run& baseline : baselines)
        list += (list.empty() ? "" : ",") + writeRun(baseline);
    study.unknown[kBaselinesKey] = '[' + list + ']';
}

} // namespace

std::vector<Run> baselinesOf(const Study& study)
{
    const auto text = study.unknown.find(kBaselinesKey);
    if (text == study.unknown.end())
        return {};
    const Json list = parseJson(text->second, kBaselinesKey);
    ReadContext context{kBaselinesKey, {}};
    std::vector<Run> baselines;
    for (const JsonReader& item : JsonReader(list, {}, context).elements())
        baselines.push_back(readRun(item));
    return baselines;
}

void putBaseline(Study& study, const Run& baseline)
{
    std::vector<Run> baselines = baselinesOf(study);
    const auto place = std::ranges::lower_bound(baselines, baseline.id, {}, &Run::id);
    if (place != baselines.end() && place->id == baseline.id)
        *place = baseline;
    else
        baselines.insert(place, baseline);
    keep(study, baselines);
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

void removeBaselines(Study& study)
{
    study.unknown.erase(kBaselinesKey);
}

std::vector<Run> allRuns(const Study& study)
{
    std::vector<Run> runs = study.runs;
    const std::vector<Run> baselines = baselinesOf(study);
    runs.insert(runs.end(), baselines.begin(), baselines.end());
    return runs;
}

const Value* settingOf(const Run& baseline, const Factor& factor)
{
    std::string name = factor.binds.empty() ? factor.name : factor.binds;
    if (name == "gpu_count")
        name = "ranks";
    if (name == "batch_per_gpu")
        name = "batch_per_rank";
    const auto found = baseline.settings.find(name);
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
