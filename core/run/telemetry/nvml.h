// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/telemetry/sample.h"

#include <memory>
#include <string>

namespace quadric::telemetry {

inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

/// Why a GPU does not run at the clock that it could, as NVML numbers the reasons.
enum ThrottleReason : std::uint64_t {
    ApplicationClocks = 0x2,
    PowerLimit = 0x4, ///< held at the power that it is allowed: its normal state under full load
    HardwareSlowdown = 0x8,
    SyncBoost = 0x10,
    SoftwareHeat = 0x20,
    HardwareHeat = 0x40,
    PowerBrake = 0x80,
};

/// How two GPUs of a machine reach each other, the closest first.
enum class GpuLink {
    NvLink,       ///< directly or through switches of NVLink
    Board,        ///< on one board
    PcieSwitch,   ///< through one PCIe switch
    PcieSwitches, ///< through several, without the processor
    HostBridge,   ///< through the PCIe host bridge of a processor
    NumaNode,     ///< between host bridges of one NUMA node
    System,       ///< between NUMA nodes, or not told
};

/// "heat", "power limit" …; one name for both kinds of heat.
std::vector<std::string> namesOf(std::uint64_t throttle);

/// NVIDIA's management library, loaded at run time, so that nothing of it is needed to build. Machines
/// without it have no devices, and whyNot() says why in one sentence.
class Nvml {
public:
    explicit Nvml(const std::string& library = kNvmlLibrary);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    const std::vector<DeviceIdentity>& devices() const;
    const std::string& driver() const;      ///< version, empty without one
    const std::string& cudaVersion() const; ///< the newest that the driver serves, "12.4"
    const std::string& whyNot() const;      ///< empty when there are devices

    /// What the device `index` tells now. Nothing is thrown for what it does not tell.
    DeviceSample read(int index) const;

    /// How the devices `a` and `b` are connected.
    GpuLink link(int a, int b) const;

    /// Processes that compute on the device, ours among them; names are left empty.
    std::vector<ForeignProcess> processes(int index) const;

private:
    struct Library;
    std::unique_ptr<Library> m_library;
};

} // namespace quadric::telemetry
