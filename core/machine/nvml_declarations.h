// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace quadric::machine
