// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/gpu.h"

#include <set>

#include <dlfcn.h>

// What is used of NVML's binary interface (names, structures and numbers as its reference manual gives them).

extern "C" {

using NvmlDevice = void*;
using NvmlReturn = int;

struct NvmlMemory {
    unsigned long long total, free, used;
};

struct NvmlUtilization {
    unsigned int gpu, memory;
};

struct NvmlViolation {
    unsigned long long referenceMicroseconds, violationNanoseconds;
};

struct NvmlPci {
    char busIdLegacy[16];
    unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32];
};

struct NvmlProcess {
    unsigned int pid;
    unsigned long long usedMemory;
    unsigned int gpuInstance, computeInstance;
};
}

namespace quadric::machine {

constexpr NvmlReturn kNvmlSuccess = 0;
constexpr NvmlReturn kNvmlFunctionNotFound = 13;
constexpr NvmlReturn kNvmlGpuIsLost = 15;     ///< fallen off the bus, or not reachable for another reason
constexpr NvmlReturn kNvmlResetRequired = 16; ///< of no use to anybody before a reset
constexpr int kNvmlClockSm = 1;
constexpr int kNvmlClockMemory = 2;
constexpr int kNvmlTemperatureGpu = 0;
constexpr int kNvmlPolicyPower = 0;
constexpr int kNvmlPolicyHeat = 1;
constexpr int kNvmlPolicySyncBoost = 2;
constexpr int kNvmlPolicyBoard = 3; ///< limits of the board: hardware slowdown, power brake
constexpr unsigned kNvmlMostLinks = 18;
constexpr int kNvmlPeerByNvlink = 2;
constexpr unsigned kNvmlTextBytes = 96;
constexpr unsigned long long kNvmlNotAvailable = ~0ULL;

/// The opened library. A function that it lacks is not supported, and what it would report stays empty.
struct NvmlLibrary {
    void* handle = nullptr;
    bool isReady = false;
    std::vector<DeviceIdentity> identities;
    std::vector<NvmlDevice> devices; ///< in the same order
    std::string driver, cudaVersion, whyNot;

    void* find(const char* name) const { return dlsym(handle, name); }

    template <typename... Arguments> NvmlReturn call(const char* name, Arguments... arguments) const
    {
        using Function = NvmlReturn (*)(Arguments...);
        // POSIX promises that a function's address survives this cast.
        const auto function = reinterpret_cast<Function>(find(name));
        return function ? function(arguments...) : kNvmlFunctionNotFound;
    }

    void open(const std::string& library);
    void close() const;
    NvmlDevice at(int index) const;                ///< null without such a device
    NvmlDevice at(const std::string& pciId) const; ///< likewise

    // What a device reports; it may be null.
    std::string text(const char* function, NvmlDevice device) const;
    std::optional<double> number(const char* function, NvmlDevice device) const;
    std::optional<double> number(const char* function, NvmlDevice device, int which) const;
    std::optional<unsigned long long> count(const char* function, NvmlDevice device) const;
    std::string busId(NvmlDevice device) const;
    std::optional<double> powerWatts(NvmlDevice device) const;
    std::optional<double> energyJoules(NvmlDevice device) const;
    std::optional<std::uint64_t> throttle(NvmlDevice device) const;
    std::optional<ClockReading> clocks(NvmlDevice device) const;
    std::vector<GpuProcess> processes(NvmlDevice device) const;
    GpuSettings settings(NvmlDevice device) const;
    bool isNvlinked(NvmlDevice a, NvmlDevice b) const;

private:
    void findDevices();
    bool hasFunctions() const;
    std::string errorText(NvmlReturn error) const;
    std::string processName(unsigned pid) const;
    std::set<std::string> nvlinkEnds(NvmlDevice device) const;
};

} // namespace quadric::machine
