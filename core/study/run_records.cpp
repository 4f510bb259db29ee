// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/run_records.h"

#include "core/workload/knob_table.h"

#include <array>
#include <cmath>
#include <string_view>

namespace quadric::study {

void insertOrReplaceBaseline(Study& study, const Run& baseline)
{
    const auto place = std::ranges::lower_bound(study.baselines, baseline.id, {}, &Run::id);
    if (place != study.baselines.end() && place->id == baseline.id)
        *place = baseline;
    else
        study.baselines.insert(place, baseline);
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

const Value* findBaselineSetting(const Run& baseline, const Factor& factor)
{
    const auto found = baseline.settings.find(trainerSettingOf(factor));
    return found == baseline.settings.end() ? nullptr : &found->second;
}

void resetRunningRuns(Study& study)
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

namespace {

constexpr auto kKindsOfCluster =
    std::to_array<std::string_view>({"node-lost", "requeued", "preempted", "job-lost"});
constexpr auto kKindsOfSurroundings =
    std::to_array<std::string_view>({"interrupted", "setup-failed", "not-found", "not-started", "refused",
                                     "bad-settings", "device-lost", "disk-full"});

template <std::size_t size> bool hasKindOf(const Run& run, const std::array<std::string_view, size>& kinds)
{
    return run.failure && std::ranges::find(kinds, run.failure->kind) != kinds.end();
}

double largestOf(const ThrottledPct& shares)
{
    double largest = 0.0;
    for (const auto& [reason, share] : shares)
        largest = std::max(largest, share);
    return largest;
}

double largestOf(const Telemetry& telemetry)
{
    double largest = telemetry.cpu ? largestOf(telemetry.cpu->throttledPct) : 0.0;
    for (const Meters& device : telemetry.devices)
        largest = std::max(largest, largestOf(device.throttledPct));
    for (const Telemetry& node : telemetry.nodes)
        largest = std::max(largest, largestOf(node));
    return largest;
}

/// Of the run's worker and of every device that was watched.
double throttledPct(const Provenance& provenance)
{
    return std::max(largestOf(provenance.throttledPct),
                    provenance.telemetry ? largestOf(*provenance.telemetry) : 0.0);
}

/// Empty when no run has a spread of this response.
ResponseSpread spreadOf(const std::vector<const Run*>& inOrder, const std::string& response)
{
    ResponseSpread spread;
    spread.response = response;
    std::vector<double> shares;
    for (const Run* run : inOrder) {
        const auto result = run->results.find(response);
        const auto half = run->spread.find(response);
        const bool isMeasured = run->status == RunStatus::Done && !run->provenance.shortLook;
        if (!isMeasured || result == run->results.end() || half == run->spread.end() || result->second == 0.0)
            continue;
        shares.push_back(100.0 * half->second / std::abs(result->second));
        if (shares.size() == 1 || shares.back() > spread.largest) {
            spread.largest = shares.back();
            spread.largestRun = run->id;
        }
        if (spread.meaning.empty())
            spread.meaning = run->provenance.spreadIs;
    }
    spread.runs = static_cast<int>(shares.size());
    if (!shares.empty())
        spread.median = computeMedian(std::move(shares));
    return spread;
}

void addThrottling(const Run& run, Throttling& throttling)
{
    const double share = throttledPct(run.provenance);
    if (share <= 0.0)
        return;
    ++throttling.runs;
    if (share > throttling.largest) {
        throttling.largest = share;
        throttling.largestRun = run.id;
    }
}

} // namespace

bool isRunOrderKnown(const Study& study)
{
    const auto isImported = [](const Run& run) { return run.provenance.source == Source::Imported; };
    const auto isCounted = [&](const Run& run) {
        return !isImported(run) || (run.order == run.id && run.provenance.started.empty());
    };
    return std::ranges::none_of(study.runs, isImported) || !std::ranges::all_of(study.runs, isCounted);
}

bool isCancelled(const Run& run)
{
    return run.status == RunStatus::Failed && run.failure && run.failure->kind == "cancelled";
}

bool isTakenByCluster(const Run& run)
{
    return hasKindOf(run, kKindsOfCluster);
}

bool isFailureOfSurroundings(const Run& run)
{
    return isCancelled(run) || isTakenByCluster(run) || hasKindOf(run, kKindsOfSurroundings);
}

bool isFailureOfSettings(const Run& run)
{
    return run.status == RunStatus::Failed && !isFailureOfSurroundings(run) &&
           !(run.failure && run.failure->kind == "rank-lost");
}

int countFailed(const Study& study)
{
    return countRuns(study, RunStatus::Failed) - countCancelled(study);
}

int countCancelled(const Study& study)
{
    return static_cast<int>(std::ranges::count_if(study.runs, isCancelled));
}

bool isDisturbed(const Run& run)
{
    return run.provenance.disturbed.value_or(false);
}

std::string disturbanceOf(const Run& run)
{
    return isDisturbed(run) ? run.provenance.disturbedBecause : std::string();
}

MeasurementQuality measurementQuality(const Study& study)
{
    MeasurementQuality quality;
    quality.done = countRuns(study, RunStatus::Done);
    const std::vector<const Run*> inOrder = inRunOrder(study);
    for (const Response& response : study.responses)
        if (ResponseSpread spread = spreadOf(inOrder, response.name); spread.runs > 0)
            quality.spreads.push_back(std::move(spread));
    for (const Run* run : inOrder) {
        if (run->status == RunStatus::Failed)
            quality.lost.push_back({run->id, run->status, run->failure ? run->failure->kind : "",
                                    run->failure ? run->failure->message : ""});
        if (run->status == RunStatus::Excluded)
            quality.lost.push_back({run->id, run->status, "", run->reason});
        if (run->status != RunStatus::Done)
            continue;
        addThrottling(*run, quality.throttling);
        if (isDisturbed(*run))
            quality.disturbed.push_back({run->id, disturbanceOf(*run)});
    }
    return quality;
}

} // namespace quadric::study
