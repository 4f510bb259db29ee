// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/nvml_library.h"

#include <algorithm>
#include <array>

namespace quadric::machine {

namespace {

constexpr double kMilli = 1e-3;
constexpr unsigned kMostProcesses = 256;

} // namespace

bool NvmlLibrary::hasFunctions() const
{
    constexpr std::array kNeeded = {"nvmlInit_v2",
                                    "nvmlShutdown",
                                    "nvmlErrorString",
                                    "nvmlSystemGetDriverVersion",
                                    "nvmlDeviceGetCount_v2",
                                    "nvmlDeviceGetHandleByIndex_v2",
                                    "nvmlDeviceGetHandleByPciBusId_v2",
                                    "nvmlDeviceGetName",
                                    "nvmlDeviceGetUUID",
                                    "nvmlDeviceGetPciInfo_v3",
                                    "nvmlDeviceGetMemoryInfo"};
    return std::ranges::all_of(kNeeded, [this](const char* name) { return find(name) != nullptr; });
}

std::string NvmlLibrary::errorText(NvmlReturn error) const
{
    using Function = const char* (*)(NvmlReturn);
    return reinterpret_cast<Function>(find("nvmlErrorString"))(error);
}

void NvmlLibrary::open(const std::string& library)
{
    handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char* said = dlerror();
        const std::string reason = said ? said : library;
        const bool isMissing = reason.find("No such file") != std::string::npos;
        whyNot = isMissing ? "no NVIDIA driver is installed"
                           : "the NVIDIA driver cannot be loaded (" + reason + ")";
        return;
    }
    if (!hasFunctions()) {
        whyNot = "the NVIDIA driver is too old: its management library lacks functions of version 11";
        return;
    }
    if (const NvmlReturn error = call("nvmlInit_v2"); error != kNvmlSuccess) {
        whyNot = "the NVIDIA driver cannot be used (nvmlInit_v2: " + errorText(error) + ")";
        return;
    }
    isReady = true;
    findDevices();
    if (devices.empty())
        whyNot = "the NVIDIA driver " + driver + " finds no GPU";
}

void NvmlLibrary::close() const
{
    if (isReady)
        call("nvmlShutdown");
    if (handle)
        dlclose(handle);
}

void NvmlLibrary::findDevices()
{
    std::array<char, kNvmlTextBytes> version{};
    if (call("nvmlSystemGetDriverVersion", version.data(), kNvmlTextBytes) == kNvmlSuccess)
        driver = version.data();
    int cuda = 0;
    if (call("nvmlSystemGetCudaDriverVersion", &cuda) == kNvmlSuccess)
        cudaVersion = std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
    unsigned found = 0;
    call("nvmlDeviceGetCount_v2", &found);
    for (unsigned i = 0; i < found; ++i) {
        NvmlDevice device = nullptr;
        if (call("nvmlDeviceGetHandleByIndex_v2", i, &device) != kNvmlSuccess)
            continue;
        devices.push_back(device);
        identities.push_back({static_cast<int>(i), text("nvmlDeviceGetUUID", device),
                              text("nvmlDeviceGetName", device), busId(device)});
    }
}

NvmlDevice NvmlLibrary::at(int index) const
{
    const auto found = std::ranges::find(identities, index, &DeviceIdentity::index);
    return found == identities.end() ? nullptr
                                     : devices[static_cast<std::size_t>(found - identities.begin())];
}

NvmlDevice NvmlLibrary::at(const std::string& pciId) const
{
    NvmlDevice device = nullptr;
    const bool isKnown =
        isReady && call("nvmlDeviceGetHandleByPciBusId_v2", pciId.c_str(), &device) == kNvmlSuccess;
    return isKnown ? device : nullptr;
}

std::string NvmlLibrary::text(const char* function, NvmlDevice device) const
{
    std::array<char, kNvmlTextBytes> text{};
    return device && call(function, device, text.data(), kNvmlTextBytes) == kNvmlSuccess ? text.data() : "";
}

std::optional<double> NvmlLibrary::number(const char* function, NvmlDevice device) const
{
    unsigned value = 0;
    return device && call(function, device, &value) == kNvmlSuccess ? std::optional<double>(value)
                                                                    : std::nullopt;
}

std::optional<double> NvmlLibrary::number(const char* function, NvmlDevice device, int which) const
{
    unsigned value = 0;
    return device && call(function, device, which, &value) == kNvmlSuccess ? std::optional<double>(value)
                                                                           : std::nullopt;
}

std::optional<unsigned long long> NvmlLibrary::count(const char* function, NvmlDevice device) const
{
    unsigned long long value = 0;
    return device && call(function, device, &value) == kNvmlSuccess ? std::optional(value) : std::nullopt;
}

std::string NvmlLibrary::busId(NvmlDevice device) const
{
    NvmlPci pci{};
    return device && call("nvmlDeviceGetPciInfo_v3", device, &pci) == kNvmlSuccess ? pci.busId : "";
}

std::optional<double> NvmlLibrary::powerWatts(NvmlDevice device) const
{
    const std::optional<double> milliwatts = number("nvmlDeviceGetPowerUsage", device);
    return milliwatts ? std::optional(*milliwatts * kMilli) : std::nullopt;
}

std::optional<double> NvmlLibrary::energyJoules(NvmlDevice device) const
{
    const auto millijoules = count("nvmlDeviceGetTotalEnergyConsumption", device);
    return millijoules ? std::optional(static_cast<double>(*millijoules) * kMilli) : std::nullopt;
}

std::optional<std::uint64_t> NvmlLibrary::throttle(NvmlDevice device) const
{
    const auto reasons = count("nvmlDeviceGetCurrentClocksEventReasons", device);
    return reasons ? reasons
                   : count("nvmlDeviceGetCurrentClocksThrottleReasons", device); // its name before driver 535
}

/// The driver adds up how long each policy held the clocks down.
std::optional<ClockReading> NvmlLibrary::clocks(NvmlDevice device) const
{
    constexpr std::array kPolicies = {
        std::pair{kNvmlPolicyHeat, ThrottleReason::SoftwareHeat},
        std::pair{kNvmlPolicyBoard, ThrottleReason::HardwareSlowdown},
        std::pair{kNvmlPolicyPower, ThrottleReason::PowerLimit},
        std::pair{kNvmlPolicySyncBoost, ThrottleReason::SyncBoost},
    };
    ClockReading reading;
    for (const auto& [policy, reason] : kPolicies) {
        NvmlViolation violation{};
        if (!device || call("nvmlDeviceGetViolationStatus", device, policy, &violation) != kNvmlSuccess)
            continue;
        reading.seconds = 1e-6 * static_cast<double>(violation.referenceMicroseconds);
        reading.add(reason, 1e-9 * static_cast<double>(violation.violationNanoseconds));
    }
    return reading.seconds > 0.0 ? std::optional(reading) : std::nullopt;
}

GpuSettings NvmlLibrary::settings(NvmlDevice device) const
{
    GpuSettings found;
    if (const auto milliwatts = number("nvmlDeviceGetEnforcedPowerLimit", device))
        found.powerLimitW = *milliwatts * kMilli;
    found.clockLimitMhz = number("nvmlDeviceGetMaxClockInfo", device, kNvmlClockSm);
    found.applicationClockMhz = number("nvmlDeviceGetApplicationsClock", device, kNvmlClockSm);
    found.pcieGeneration = number("nvmlDeviceGetCurrPcieLinkGeneration", device);
    found.pcieLanes = number("nvmlDeviceGetCurrPcieLinkWidth", device);
    found.pcieMostLanes = number("nvmlDeviceGetMaxPcieLinkWidth", device);
    if (const auto mode = number("nvmlDeviceGetPersistenceMode", device))
        found.isPersistent = *mode > 0.0;
    int current = 0, pending = 0;
    if (device && call("nvmlDeviceGetEccMode", device, &current, &pending) == kNvmlSuccess)
        found.correctsErrors = current != 0;
    return found;
}

/// The last part of the path that the driver knows; empty where it knows none.
std::string NvmlLibrary::processName(unsigned pid) const
{
    std::array<char, 1024> text{};
    if (call("nvmlSystemGetProcessName", pid, text.data(), static_cast<unsigned>(text.size())) !=
        kNvmlSuccess)
        return {};
    const std::string path(text.data());
    return path.substr(path.find_last_of('/') + 1);
}

std::vector<GpuProcess> NvmlLibrary::processes(NvmlDevice device) const
{
    std::vector<NvmlProcess> list(kMostProcesses);
    unsigned found = kMostProcesses;
    if (!device ||
        call("nvmlDeviceGetComputeRunningProcesses_v3", device, &found, list.data()) != kNvmlSuccess)
        return {};
    list.resize(std::min(found, kMostProcesses));
    std::vector<GpuProcess> processes;
    for (const NvmlProcess& each : list) {
        const bool isKnown = each.usedMemory != kNvmlNotAvailable;
        processes.push_back({static_cast<int>(each.pid), processName(each.pid),
                             isKnown ? static_cast<std::int64_t>(each.usedMemory) : 0});
    }
    return processes;
}

/// Bus ids of what is at the other end of the device's active links: GPUs or switches.
std::set<std::string> NvmlLibrary::nvlinkEnds(NvmlDevice device) const
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
bool NvmlLibrary::isNvlinked(NvmlDevice a, NvmlDevice b) const
{
    int status = 0;
    if (call("nvmlDeviceGetP2PStatus", a, b, kNvmlPeerByNvlink, &status) == kNvmlSuccess)
        return status == 0;
    const std::set<std::string> others = nvlinkEnds(b);
    const auto isGpu = [this](const std::string& end) {
        return std::ranges::find(identities, end, &DeviceIdentity::pciBusId) != identities.end();
    };
    return std::ranges::any_of(nvlinkEnds(a), [&](const std::string& end) {
        return end == busId(b) || (others.contains(end) && !isGpu(end));
    });
}

} // namespace quadric::machine
