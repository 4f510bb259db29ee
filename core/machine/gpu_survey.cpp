// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/clock_reasons.h"
#include "core/machine/nvml_library.h"

#include <algorithm>

namespace quadric::machine {

namespace {

constexpr std::uint64_t kSlowed = HardwareSlowdown | SoftwareHeat | HardwareHeat | PowerBrake;

/// What GPUs and their parts have in common.
template <typename Device> void describeCommon(const NvmlLibrary& nvml, NvmlDevice handle, Device& device)
{
    device.name = nvml.text("nvmlDeviceGetName", handle);
    device.uuid = nvml.text("nvmlDeviceGetUUID", handle);
    NvmlMemory memory{};
    if (nvml.call("nvmlDeviceGetMemoryInfo", handle, &memory) == kNvmlSuccess) {
        device.memoryBytes = static_cast<std::int64_t>(memory.total);
        device.freeBytes = static_cast<std::int64_t>(memory.free);
    }
    device.processes = nvml.processes(handle);
    std::ranges::sort(device.processes, {}, &GpuProcess::pid);
}

/// Places for parts may be empty.
std::vector<GpuPart> findParts(const NvmlLibrary& nvml, NvmlDevice device)
{
    unsigned most = 0;
    std::vector<GpuPart> parts;
    if (nvml.call("nvmlDeviceGetMaxMigDeviceCount", device, &most) != kNvmlSuccess)
        return parts;
    for (unsigned index = 0; index < most; ++index) {
        NvmlDevice part = nullptr;
        if (nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", device, index, &part) == kNvmlSuccess)
            describeCommon(nvml, part, parts.emplace_back());
    }
    return parts;
}

std::vector<int> findPeers(const NvmlLibrary& nvml, NvmlDevice device)
{
    std::vector<int> peers;
    for (const DeviceIdentity& other : nvml.identities) {
        const NvmlDevice handle = nvml.at(other.index);
        if (handle != device && nvml.isNvlinked(device, handle))
            peers.push_back(other.index);
    }
    return peers;
}

} // namespace

GpuSurvey Nvml::survey() const
{
    const NvmlLibrary& nvml = *m_library;
    GpuSurvey found{.gpus = {}, .driver = nvml.driver, .whyNone = nvml.whyNot};
    for (const DeviceIdentity& identity : nvml.identities) {
        const NvmlDevice device = nvml.at(identity.index);
        Gpu& gpu = found.gpus.emplace_back();
        gpu.index = identity.index;
        describeCommon(nvml, device, gpu);
        gpu.pciId = identity.pciBusId;
        gpu.nvlinkPeers = findPeers(nvml, device);
        gpu.countsEnergy = nvml.energyJoules(device).has_value();
        gpu.isSlowed = (nvml.throttle(device).value_or(0) & kSlowed) != 0;
        gpu.settings = nvml.settings(device);
        gpu.parts = findParts(nvml, device);
    }
    return found;
}

} // namespace quadric::machine
