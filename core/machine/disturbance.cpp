// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/summary.h"

#include <algorithm>
#include <cmath>

namespace quadric::machine {

namespace {

std::string nameOf(const DeviceSummary& device)
{
    return "GPU " + std::to_string(device.identity.index);
}

void addThrottling(const DeviceSummary& device, std::string& reasons)
{
    for (const machine::ClockReason& reason : machine::kClockReasons) {
        const auto share = device.throttledPct.find(reason.name);
        if (share != device.throttledPct.end())
            machine::addReason(reasons, machine::whyClocksDisturb(nameOf(device), reason, share->second));
    }
}

void addSharing(const DeviceSummary& device, std::string& reasons)
{
    const std::vector<GpuProcess>& others = device.during;
    if (others.empty())
        return;
    const std::string first =
        others.front().name.empty() ? "process " + std::to_string(others.front().pid) : others.front().name;
    const std::string more = others.size() == 1 ? "" : " and " + std::to_string(others.size() - 1) + " more";
    machine::addReason(reasons, nameOf(device) + " was shared with " + first + more);
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

void addProcessor(const Summary& summary, bool workerJudgedCpu, std::string& reasons)
{
    if (!workerJudgedCpu)
        machine::addReason(
            reasons, machine::whyProcessorsDisturb({.foreignPct = summary.foreignPct},
                                                   summary.isOfOwnCores ? "the run's cores" : "the machine"));
    if (const double pct = summary.throttledPct.value_or(0.0); pct > machine::kDisturbedPct)
        machine::addReason(reasons, "heat held the processor back for " + std::to_string(std::lround(pct)) +
                                        " % of the run");
}

} // namespace

std::string disturbance(const Summary& summary, bool workerJudgedCpu)
{
    if (summary.seconds < kLeastJudgedSeconds)
        return {};
    std::string reasons;
    addProcessor(summary, workerJudgedCpu, reasons);
    for (const DeviceSummary* device : usedDevices(summary)) {
        addThrottling(*device, reasons);
        addSharing(*device, reasons);
    }
    return reasons;
}

std::string lostDevice(const Summary& summary)
{
    for (const DeviceSummary* device : usedDevices(summary)) {
        if (device->isLost)
            return nameOf(*device) + " (" + device->identity.uuid +
                   ") was lost: the driver cannot reach it any more";
    }
    return {};
}

} // namespace quadric::machine
