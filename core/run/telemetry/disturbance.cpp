// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/telemetry/summary.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::telemetry {

namespace {

constexpr std::array kDisturbingReasons = {"heat", "hardware slowdown", "power brake", "sync boost"};

std::string wholeText(double value)
{
    return std::to_string(std::lround(value));
}

void addThrottling(const DeviceSummary& device, std::vector<std::string>& reasons)
{
    for (const char* reason : kDisturbingReasons) {
        const auto share = device.throttledPct.find(reason);
        if (share != device.throttledPct.end() && share->second > kDisturbedPct)
            reasons.push_back("GPU " + std::to_string(device.identity.index) + " was slowed by " + reason +
                              " for " + wholeText(share->second) + " % of the run");
    }
}

void addSharing(const DeviceSummary& device, std::vector<std::string>& reasons)
{
    const std::vector<ForeignProcess>& others = device.during;
    if (others.empty())
        return;
    const std::string first =
        others.front().name.empty() ? "process " + std::to_string(others.front().pid) : others.front().name;
    const std::string more = others.size() == 1 ? "" : " and " + std::to_string(others.size() - 1) + " more";
    reasons.push_back("GPU " + std::to_string(device.identity.index) + " was shared with " + first + more);
}

/// Where our processes can be seen on the devices, those without one were not used by the run.
std::vector<const DeviceSummary*> usedDevices(const Summary& summary)
{
    const bool isKnown = std::ranges::any_of(summary.devices, &DeviceSummary::hasOwn);
    std::vector<const DeviceSummary*> used;
    for (const DeviceSummary& device : summary.devices) {
        if (device.hasOwn || !isKnown)
            used.push_back(&device);
    }
    return used;
}

void addProcessor(const Summary& summary, bool workerJudgedCpu, std::vector<std::string>& reasons)
{
    if (!workerJudgedCpu && summary.foreignPct > kDisturbedPct)
        reasons.push_back("other processes used " + wholeText(summary.foreignPct) +
                          (summary.isOfOwnCores ? " % of the run's cores" : " % of the machine"));
    if (summary.throttledPct.value_or(0.0) > kDisturbedPct)
        reasons.push_back("heat held the processor back for " + wholeText(*summary.throttledPct) +
                          " % of the run");
}

} // namespace

std::string disturbance(const Summary& summary, bool workerJudgedCpu)
{
    if (summary.seconds < kLeastJudgedSeconds)
        return {};
    std::vector<std::string> reasons;
    addProcessor(summary, workerJudgedCpu, reasons);
    for (const DeviceSummary* device : usedDevices(summary)) {
        addThrottling(*device, reasons);
        addSharing(*device, reasons);
    }
    std::string text;
    for (const std::string& reason : reasons)
        text += (text.empty() ? "" : "; ") + reason;
    return text;
}

std::string lostDevice(const Summary& summary)
{
    for (const DeviceSummary* device : usedDevices(summary)) {
        if (device->isLost)
            return "GPU " + std::to_string(device->identity.index) + " (" + device->identity.uuid +
                   ") was lost: the driver cannot reach it any more";
    }
    return {};
}

} // namespace quadric::telemetry
