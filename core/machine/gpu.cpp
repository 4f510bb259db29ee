// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/gpu.h"

#include "core/machine/contention.h"
#include "core/machine/nvml_library.h"
#include "core/machine/units_of_measure.h"
#include "core/text/numbers.h"

#include <charconv>
#include <sstream>

namespace quadric::machine {

std::vector<std::string> namesOf(std::uint64_t throttle)
{
    std::vector<std::string> names;
    for (const ClockReason& reason : kClockReasons) {
        if ((throttle & reason.bits) != 0)
            names.emplace_back(reason.name);
    }
    return names;
}

void ClockReading::add(ThrottleReason reason, double heldSeconds)
{
    for (std::size_t i = 0; i < held.size(); ++i)
        held[i] += (reason & kClockReasons[i].bits) != 0 ? heldSeconds : 0.0;
}

ClockReading operator-(const ClockReading& after, const ClockReading& before)
{
    ClockReading passed{.seconds = after.seconds - before.seconds};
    for (std::size_t i = 0; i < passed.held.size(); ++i)
        passed.held[i] = after.held[i] - before.held[i];
    return passed;
}

namespace {

/// "MIG-" alone, or "GPU-", would be any.
bool begins(const std::string& uuid, const std::string& entry)
{
    return entry.size() > 4 && uuid.starts_with(entry);
}

std::optional<Gpu> named(const std::vector<Gpu>& gpus, const std::string& entry)
{
    for (const Gpu& gpu : gpus) {
        const auto part =
            std::ranges::find_if(gpu.parts, [&](const GpuPart& each) { return begins(each.uuid, entry); });
        if (part == gpu.parts.end())
            continue;
        Gpu withPart = gpu;
        withPart.parts = {*part};
        return withPart;
    }
    const auto found =
        std::ranges::find_if(gpus, [&](const Gpu& gpu) { return isMeant(entry, gpu.index, gpu.uuid); });
    return found == gpus.end() ? std::nullopt : std::optional(*found);
}

/// Its first part in the place of a GPU in MIG mode. The counter of energy is of the whole GPU.
Gpu firstPartOf(Gpu gpu)
{
    const GpuPart part = gpu.parts.front();
    gpu.uuid = part.uuid;
    gpu.name = part.name;
    gpu.memoryBytes = part.memoryBytes;
    gpu.freeBytes = part.freeBytes;
    gpu.processes = part.processes;
    gpu.nvlinkPeers.clear();
    gpu.countsEnergy = false;
    gpu.parts.clear();
    return gpu;
}

std::string gibibytes(std::int64_t bytes)
{
    return text::formatDecimals(static_cast<double>(bytes) / kBytesPerGib, 1);
}

/// "python3 (process 4711, 12.3 GiB)", and less where less is known.
std::string describe(const GpuProcess& process)
{
    const std::string number = "process " + std::to_string(process.pid);
    const std::string memory = process.memoryBytes > 0 ? gibibytes(process.memoryBytes) + " GiB" : "";
    if (process.name.empty())
        return number + (memory.empty() ? "" : " (" + memory + ")");
    return process.name + " (" + number + (memory.empty() ? "" : ", " + memory) + ")";
}

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

bool isMeant(const std::string& entry, int index, const std::string& uuid)
{
    int number = -1;
    const char* end = entry.data() + entry.size();
    const auto [stop, error] = std::from_chars(entry.data(), end, number);
    return error == std::errc() && stop == end ? number == index : begins(uuid, entry);
}

std::vector<std::string> splitEntries(const std::string& variable)
{
    std::vector<std::string> entries;
    std::istringstream text(variable);
    for (std::string entry; std::getline(text, entry, ',');) {
        std::erase_if(entry, [](char c) { return c == ' ' || c == '\t'; });
        entries.push_back(entry);
    }
    return entries;
}

std::vector<Gpu> visibleGpus(const std::vector<Gpu>& gpus, const char* variable)
{
    const auto find = [&gpus](const std::string& entry) { return named(gpus, entry); };
    std::vector<Gpu> visible = variable == nullptr ? gpus : findVisible<Gpu>(variable, find);
    const auto withParts = std::ranges::find_if(visible, [](const Gpu& gpu) { return !gpu.parts.empty(); });
    if (withParts != visible.end())
        return {firstPartOf(*withParts)};
    return visible;
}

GpuSurvey restricted(GpuSurvey survey, const char* variable)
{
    const bool hadSome = !survey.gpus.empty();
    survey.gpus = visibleGpus(survey.gpus, variable);
    if (hadSome && survey.gpus.empty())
        survey.whyNone =
            "CUDA_VISIBLE_DEVICES is \"" + std::string(variable) + "\" and names no GPU of this machine";
    return survey;
}

std::string describe(const Gpu& gpu)
{
    std::string text = "GPU " + std::to_string(gpu.index) + " " + gpu.name + " (" + gibibytes(gpu.freeBytes) +
                       " of " + gibibytes(gpu.memoryBytes) + " GiB free, PCI " + gpu.pciId;
    text += gpu.nvlinkPeers.empty()
                ? ", no NVLink"
                : ", NVLink to " +
                      text::joinWords(gpu.nvlinkPeers, ", ", [](int peer) { return std::to_string(peer); });
    return text + ")";
}

std::string describeUsers(int index, std::span<const GpuProcess> processes)
{
    if (processes.empty())
        return "";
    return "GPU " + std::to_string(index) + " is used by " +
           text::joinWords(processes, ", ", [](const GpuProcess& process) { return describe(process); });
}

std::string describeForeignUse(std::span<const Gpu> gpus)
{
    std::string text;
    for (const Gpu& gpu : gpus) {
        addReason(text, describeUsers(gpu.index, gpu.processes));
        if (gpu.isSlowed)
            addReason(text, "GPU " + std::to_string(gpu.index) + " is slowed down by heat or a power brake");
    }
    return text;
}

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
