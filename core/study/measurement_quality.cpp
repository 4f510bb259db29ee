// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/measurement_quality.h"

#include "core/study/disturbance.h"
#include "core/study/median.h"

#include <algorithm>
#include <cmath>

namespace quadric::study {

namespace {

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
