// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/nvml.h"

#include "core/machine/memory_units.h"
#include "core/machine/nvml_library.h"

#include <algorithm>
#include <array>

namespace quadric::machine {

namespace {

/// The deepest common part of the paths to two GPUs, as NVML numbers it.
GpuLink linkAt(unsigned commonAncestor)
{
    constexpr std::array kAncestors = {GpuLink::Board,      GpuLink::PcieSwitch, GpuLink::PcieSwitches,
                                       GpuLink::HostBridge, GpuLink::NumaNode,   GpuLink::System};
    constexpr unsigned kStep = 10;
    return kAncestors[std::min<std::size_t>(commonAncestor / kStep, kAncestors.size() - 1)];
}

void readMeters(const NvmlLibrary& nvml, NvmlDevice device, DeviceSample& sample)
{
    sample.clockMhz = nvml.number("nvmlDeviceGetClockInfo", device, kNvmlClockSm);
    sample.memoryClockMhz = nvml.number("nvmlDeviceGetClockInfo", device, kNvmlClockMemory);
    unsigned celsius = 0;
    const NvmlReturn answer = nvml.call("nvmlDeviceGetTemperature", device, kNvmlTemperatureGpu, &celsius);
    if (answer == kNvmlSuccess)
        sample.temperatureC = celsius;
    sample.isLost = answer == kNvmlGpuIsLost || answer == kNvmlResetRequired;
    sample.powerW = nvml.powerWatts(device);
    sample.energyJoules = nvml.energyJoules(device);
    sample.throttle = nvml.throttle(device).value_or(0);
}

void readUse(const NvmlLibrary& nvml, NvmlDevice device, DeviceSample& sample)
{
    NvmlMemory memory{};
    if (nvml.call("nvmlDeviceGetMemoryInfo", device, &memory) == kNvmlSuccess)
        sample.memoryMib = static_cast<double>(memory.used) / kBytesPerMib;
    NvmlUtilization utilization{};
    if (nvml.call("nvmlDeviceGetUtilizationRates", device, &utilization) == kNvmlSuccess)
        sample.busyPct = utilization.gpu;
}

} // namespace

Nvml::Nvml(const std::string& library)
    : m_library(std::make_unique<NvmlLibrary>())
{
    if (library.empty())
        m_library->whyNot = "the run uses none";
    else
        m_library->open(library);
}

Nvml::~Nvml()
{
    m_library->close();
}

const std::vector<DeviceIdentity>& Nvml::devices() const
{
    return m_library->identities;
}

const std::string& Nvml::driver() const
{
    return m_library->driver;
}

const std::string& Nvml::cudaVersion() const
{
    return m_library->cudaVersion;
}

const std::string& Nvml::whyNot() const
{
    return m_library->whyNot;
}

DeviceSample Nvml::read(int index) const
{
    DeviceSample sample{.index = index};
    const NvmlDevice device = m_library->at(index);
    if (!device)
        return sample;
    readMeters(*m_library, device, sample);
    readUse(*m_library, device, sample);
    return sample;
}

GpuLink Nvml::link(int a, int b) const
{
    const NvmlDevice one = m_library->at(a);
    const NvmlDevice other = m_library->at(b);
    if (!one || !other)
        return GpuLink::System;
    if (m_library->isNvlinked(one, other))
        return GpuLink::NvLink;
    unsigned ancestor = 0;
    const bool isTold =
        m_library->call("nvmlDeviceGetTopologyCommonAncestor", one, other, &ancestor) == kNvmlSuccess;
    return isTold ? linkAt(ancestor) : GpuLink::System;
}

std::vector<GpuProcess> Nvml::processes(int index) const
{
    return m_library->processes(m_library->at(index));
}

std::optional<double> Nvml::energyJoules(const std::string& pciId) const
{
    return m_library->energyJoules(m_library->at(pciId));
}

std::optional<double> Nvml::powerWatts(const std::string& pciId) const
{
    return m_library->powerWatts(m_library->at(pciId));
}

std::optional<ClockReading> Nvml::clocks(const std::string& pciId) const
{
    return m_library->clocks(m_library->at(pciId));
}

} // namespace quadric::machine
