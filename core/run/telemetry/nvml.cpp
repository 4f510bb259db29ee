// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/telemetry/nvml.h"

#include "core/run/telemetry/nvml_declarations.h"
#include "core/run/telemetry/units.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <set>

namespace quadric::telemetry {

namespace {

constexpr double kMilli = 1e-3;
constexpr std::size_t kMostProcesses = 256;

struct ReasonName {
    std::uint64_t bits;
    const char* name;
};
constexpr std::array kReasonNames = {ReasonName{SoftwareHeat | HardwareHeat, "heat"},
                                     ReasonName{HardwareSlowdown, "hardware slowdown"},
                                     ReasonName{PowerBrake, "power brake"},
                                     ReasonName{PowerLimit, "power limit"},
                                     ReasonName{SyncBoost, "sync boost"},
                                     ReasonName{ApplicationClocks, "application clocks"}};

/// The deepest common part of the paths to two GPUs, as NVML numbers it.
GpuLink linkAt(unsigned commonAncestor)
{
    constexpr std::array kAncestors = {GpuLink::Board,      GpuLink::PcieSwitch, GpuLink::PcieSwitches,
                                       GpuLink::HostBridge, GpuLink::NumaNode,   GpuLink::System};
    constexpr unsigned kStep = 10;
    return kAncestors[std::min<std::size_t>(commonAncestor / kStep, kAncestors.size() - 1)];
}

} // namespace

std::vector<std::string> namesOf(std::uint64_t throttle)
{
    std::vector<std::string> names;
    for (const ReasonName& reason : kReasonNames) {
        if ((throttle & reason.bits) != 0)
            names.emplace_back(reason.name);
    }
    return names;
}

/// The loaded library; a function that it lacks is null, and what it would tell stays empty.
struct Nvml::Library {
    void* handle = nullptr;
    bool isReady = false;
    std::vector<DeviceIdentity> identities;
    std::vector<NvmlDevice> devices;
    std::string driver, cudaVersion, whyNot;

    template <typename... Arguments> NvmlReturn call(const char* name, Arguments... arguments) const
    {
        using Function = NvmlReturn (*)(Arguments...);
        // POSIX promises that a function's address survives this cast.
        const auto function = reinterpret_cast<Function>(dlsym(handle, name));
        return function ? function(arguments...) : kNvmlFunctionNotFound;
    }

    void open(const std::string& library);
    void findDevices();
    std::string text(const char* function, NvmlDevice device) const;
    std::optional<double> number(const char* function, NvmlDevice device) const;
    std::optional<double> number(const char* function, NvmlDevice device, int which) const;
    std::string errorText(NvmlReturn error) const;
    NvmlDevice find(int index) const; ///< null without such a device
    void readMeters(NvmlDevice device, DeviceSample& sample) const;
    void readUse(NvmlDevice device, DeviceSample& sample) const;
    std::string busId(NvmlDevice device) const;
    std::set<std::string> nvlinkEnds(NvmlDevice device) const;
    bool isNvlinked(NvmlDevice a, NvmlDevice b) const;
};

std::string Nvml::Library::errorText(NvmlReturn error) const
{
    using Function = const char* (*)(NvmlReturn);
    const auto function = reinterpret_cast<Function>(dlsym(handle, "nvmlErrorString"));
    return function ? function(error) : "error " + std::to_string(error);
}

void Nvml::Library::open(const std::string& library)
{
    if (library.empty()) {
        whyNot = "No GPU is watched: the run uses none";
        return;
    }
    handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        whyNot = "No GPU is watched: the NVIDIA driver's library " + library + " is not installed here";
        return;
    }
    if (const NvmlReturn error = call("nvmlInit_v2"); error != kNvmlSuccess) {
        whyNot = "No GPU is watched: the NVIDIA driver cannot be reached (" + errorText(error) + ")";
        return;
    }
    isReady = true;
    findDevices();
    if (devices.empty())
        whyNot = "No GPU is watched: the NVIDIA driver sees none";
}

void Nvml::Library::findDevices()
{
    std::array<char, kNvmlTextBytes> version{};
    if (call("nvmlSystemGetDriverVersion", version.data(), kNvmlTextBytes) == kNvmlSuccess)
        driver = version.data();
    int cuda = 0;
    if (call("nvmlSystemGetCudaDriverVersion", &cuda) == kNvmlSuccess)
        cudaVersion = std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
    unsigned count = 0;
    call("nvmlDeviceGetCount_v2", &count);
    for (unsigned i = 0; i < count; ++i) {
        NvmlDevice device = nullptr;
        if (call("nvmlDeviceGetHandleByIndex_v2", i, &device) != kNvmlSuccess)
            continue;
        devices.push_back(device);
        identities.push_back({static_cast<int>(i), text("nvmlDeviceGetUUID", device),
                              text("nvmlDeviceGetName", device), busId(device)});
    }
}

std::string Nvml::Library::text(const char* function, NvmlDevice device) const
{
    std::array<char, kNvmlTextBytes> text{};
    return call(function, device, text.data(), kNvmlTextBytes) == kNvmlSuccess ? text.data() : "";
}

std::optional<double> Nvml::Library::number(const char* function, NvmlDevice device) const
{
    unsigned value = 0;
    return call(function, device, &value) == kNvmlSuccess ? std::optional<double>(value) : std::nullopt;
}

std::optional<double> Nvml::Library::number(const char* function, NvmlDevice device, int which) const
{
    unsigned value = 0;
    return call(function, device, which, &value) == kNvmlSuccess ? std::optional<double>(value)
                                                                 : std::nullopt;
}

std::string Nvml::Library::busId(NvmlDevice device) const
{
    NvmlPci pci{};
    return call("nvmlDeviceGetPciInfo_v3", device, &pci) == kNvmlSuccess ? pci.busId : "";
}

/// Bus ids of what is at the other end of the device's active links: GPUs or switches.
std::set<std::string> Nvml::Library::nvlinkEnds(NvmlDevice device) const
{
    std::set<std::string> ends;
    for (unsigned link = 0; link < kNvmlMostLinks; ++link) {
        unsigned isActive = 0;
        NvmlPci remote{};
        if (call("nvmlDeviceGetNvLinkState", device, link, &isActive) == kNvmlSuccess && isActive != 0 &&
            call("nvmlDeviceGetNvLinkRemotePciInfo_v2", device, link, &remote) == kNvmlSuccess)
            ends.insert(remote.busId);
    }
    return ends;
}

/// As the driver says; one that does not say it is asked for the ends of the links: each other, or a switch
/// that both are on.
bool Nvml::Library::isNvlinked(NvmlDevice a, NvmlDevice b) const
{
    int status = 0;
    if (call("nvmlDeviceGetP2PStatus", a, b, kNvmlPeerByNvlink, &status) == kNvmlSuccess)
        return status == 0;
    const std::set<std::string> others = nvlinkEnds(b);
    const auto isGpu = [this](const std::string& end) {
        return std::ranges::any_of(identities, [&](const auto& each) { return each.pciBusId == end; });
    };
    return std::ranges::any_of(nvlinkEnds(a), [&](const std::string& end) {
        return end == busId(b) || (others.contains(end) && !isGpu(end));
    });
}

NvmlDevice Nvml::Library::find(int index) const
{
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (identities[i].index == index)
            return devices[i];
    }
    return nullptr;
}

void Nvml::Library::readMeters(NvmlDevice device, DeviceSample& sample) const
{
    sample.clockMhz = number("nvmlDeviceGetClockInfo", device, kNvmlClockSm);
    sample.memoryClockMhz = number("nvmlDeviceGetClockInfo", device, kNvmlClockMemory);
    unsigned celsius = 0;
    const NvmlReturn answer = call("nvmlDeviceGetTemperature", device, kNvmlTemperatureGpu, &celsius);
    if (answer == kNvmlSuccess)
        sample.temperatureC = celsius;
    sample.isLost = answer == kNvmlGpuIsLost || answer == kNvmlResetRequired;
    if (const auto milliwatt = number("nvmlDeviceGetPowerUsage", device))
        sample.powerW = *milliwatt * kMilli;
    unsigned long long value = 0;
    if (call("nvmlDeviceGetTotalEnergyConsumption", device, &value) == kNvmlSuccess)
        sample.energyJoules = static_cast<double>(value) * kMilli;
    if (call("nvmlDeviceGetCurrentClocksThrottleReasons", device, &value) == kNvmlSuccess)
        sample.throttle = value;
}

void Nvml::Library::readUse(NvmlDevice device, DeviceSample& sample) const
{
    NvmlMemory memory{};
    if (call("nvmlDeviceGetMemoryInfo", device, &memory) == kNvmlSuccess)
        sample.memoryMib = static_cast<double>(memory.used) / kBytesPerMib;
    NvmlUtilization utilization{};
    if (call("nvmlDeviceGetUtilizationRates", device, &utilization) == kNvmlSuccess)
        sample.busyPct = utilization.gpu;
}

Nvml::Nvml(const std::string& library)
    : m_library(std::make_unique<Library>())
{
    m_library->open(library);
}

Nvml::~Nvml()
{
    if (m_library->isReady)
        m_library->call("nvmlShutdown");
    if (m_library->handle)
        dlclose(m_library->handle);
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
    const NvmlDevice device = m_library->find(index);
    if (!device)
        return sample;
    m_library->readMeters(device, sample);
    m_library->readUse(device, sample);
    return sample;
}

GpuLink Nvml::link(int a, int b) const
{
    const NvmlDevice one = m_library->find(a);
    const NvmlDevice other = m_library->find(b);
    if (!one || !other)
        return GpuLink::System;
    if (m_library->isNvlinked(one, other))
        return GpuLink::NvLink;
    unsigned ancestor = 0;
    const bool isTold =
        m_library->call("nvmlDeviceGetTopologyCommonAncestor", one, other, &ancestor) == kNvmlSuccess;
    return isTold ? linkAt(ancestor) : GpuLink::System;
}

std::vector<ForeignProcess> Nvml::processes(int index) const
{
    std::vector<NvmlProcess> list(kMostProcesses);
    auto count = static_cast<unsigned>(list.size());
    const NvmlDevice device = m_library->find(index);
    if (!device || m_library->call("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, list.data()) !=
                       kNvmlSuccess)
        return {};
    std::vector<ForeignProcess> found;
    for (unsigned i = 0; i < count; ++i) {
        const bool isKnown = list[i].usedMemory != kNvmlNotAvailable;
        found.push_back({static_cast<int>(list[i].pid),
                         {},
                         isKnown ? static_cast<double>(list[i].usedMemory) / kBytesPerMib : 0.0});
    }
    return found;
}

} // namespace quadric::telemetry
