// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/clock_reasons.h"
#include "core/machine/gpu.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quadric::machine {

inline constexpr const char* kNvmlLibrary = "libnvidia-ml.so.1";

/// A GPU, as long as the machine runs.
struct DeviceIdentity {
    int index = 0; ///< in NVML's order, which is that of the PCI bus
    std::string uuid, name;
    std::string pciBusId = {}; ///< "00000000:3B:00.0"; empty where it is unknown
    bool operator==(const DeviceIdentity&) const = default;
};

/// One GPU at one moment; what its driver does not report is empty.
struct DeviceSample {
    int index = 0; ///< see DeviceIdentity
    std::optional<double> clockMhz = {}, memoryClockMhz = {}, powerW = {}, temperatureC = {};
    std::optional<double> memoryMib = {}, busyPct = {};
    std::optional<double> energyJoules = {}; ///< counter since the driver was loaded
    std::uint64_t throttle = 0;              ///< bits of ThrottleReason
    bool isLost = false;                     ///< the driver says that it cannot be used any more
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

struct NvmlLibrary;

/// NVIDIA's management library. It comes with the driver and is opened while the program runs; what is used
/// of it is declared here (nvml_declarations.h), because its header is often missing. Machines without it
/// have no devices.
class Nvml {
public:
    explicit Nvml(const std::string& library = kNvmlLibrary);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    const std::vector<DeviceIdentity>& devices() const;
    const std::string& driver() const;      ///< version, empty without one
    const std::string& cudaVersion() const; ///< the newest that the driver serves, "12.4"
    const std::string& whyNot() const; ///< a sentence without its full stop; empty when there are devices

    /// All GPUs of this machine with their parts, memory and users.
    GpuSurvey survey() const;

    /// What the device `index` tells now. Nothing is thrown for what it does not tell.
    DeviceSample read(int index) const;

    /// How the devices `a` and `b` are connected.
    GpuLink link(int a, int b) const;

    /// Processes that compute on the device, ours among them; names as the driver knows
    /// them.
    std::vector<GpuProcess> processes(int index) const;

    // Of the GPU with this PCI id, in whatever form CUDA and NVML write it; nothing where the driver does not
    // say or knows no such GPU.

    /// Energy that it has used since its driver was loaded, in joules; GPUs before Volta do not count it.
    std::optional<double> energyJoules(const std::string& pciId) const;
    /// Power that it draws now, in watts.
    std::optional<double> powerWatts(const std::string& pciId) const;
    /// How long its clocks were held down so far, and by what; see ClockReading.
    std::optional<ClockReading> clocks(const std::string& pciId) const;

private:
    std::unique_ptr<NvmlLibrary> m_library;
};

} // namespace quadric::machine
