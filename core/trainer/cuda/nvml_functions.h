// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace quadric::trainer::cuda {

// The binary interface of NVML as its reference manual states it, as far as it is used.
using NvmlDevice = void*;
inline constexpr int kNvmlSuccess = 0;
inline constexpr int kNvmlPeerByNvlink = 2; ///< NVML_P2P_CAPS_INDEX_NVLINK
// Why clocks are held down (nvmlClocksEventReason…). A GPU under full load is usually at its power limit; the
// others disturb a measurement.
inline constexpr unsigned long long kNvmlPowerLimit = 0x04U;
inline constexpr unsigned long long kNvmlSlowdown = 0x08U;
inline constexpr unsigned long long kNvmlHeat = 0x20U | 0x40U;
inline constexpr unsigned long long kNvmlPowerBrake = 0x80U;
inline constexpr unsigned long long kNvmlMemoryUnknown = ~0ULL;

struct NvmlPci {
    char busIdLegacy[16];
    unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32];
};
struct NvmlMemory {
    unsigned long long total, free, used;
};
struct NvmlProcess {
    unsigned pid;
    unsigned long long usedGpuMemory;
    unsigned gpuInstanceId, computeInstanceId;
};

/// Pointers to its functions; those at the end may be missing in old drivers and are null then.
struct NvmlFunctions {
    int (*start)() = nullptr;
    int (*shutdown)() = nullptr;
    const char* (*errorText)(int) = nullptr;
    int (*driver)(char*, unsigned) = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*handleByIndex)(unsigned, NvmlDevice*) = nullptr;
    int (*handleByPciId)(const char*, NvmlDevice*) = nullptr;
    int (*name)(NvmlDevice, char*, unsigned) = nullptr;
    int (*uuid)(NvmlDevice, char*, unsigned) = nullptr;
    int (*pci)(NvmlDevice, NvmlPci*) = nullptr;
    int (*memory)(NvmlDevice, NvmlMemory*) = nullptr;
    int (*processes)(NvmlDevice, unsigned*, NvmlProcess*) = nullptr;
    int (*energy)(NvmlDevice, unsigned long long*) = nullptr;
    int (*power)(NvmlDevice, unsigned*) = nullptr;
    int (*peerStatus)(NvmlDevice, NvmlDevice, int, int*) = nullptr;
    int (*clockReasons)(NvmlDevice, unsigned long long*) = nullptr;
    int (*processName)(unsigned, char*, unsigned) = nullptr;
    int (*mostParts)(NvmlDevice, unsigned*) = nullptr; ///< of a GPU in MIG mode; 0 where it never has any
    int (*partByIndex)(NvmlDevice, unsigned, NvmlDevice*) = nullptr;

    /// Finds the functions and starts the library. Returns why it cannot be used; empty when it can.
    std::string load(const std::function<void*(const char*)>& symbols);
};

} // namespace quadric::trainer::cuda
