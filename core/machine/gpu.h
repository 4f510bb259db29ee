// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quadric::machine {

/// Why a GPU does not run at the clock that it could, as NVML numbers the reasons (nvmlClocksEventReason…).
enum ThrottleReason : std::uint64_t {
    ApplicationClocks = 0x2,
    PowerLimit = 0x4, ///< held at the power that it is allowed: its normal state under full load
    HardwareSlowdown = 0x8,
    SyncBoost = 0x10,
    SoftwareHeat = 0x20,
    HardwareHeat = 0x40,
    PowerBrake = 0x80, ///< from outside the GPU
};

struct ClockReason {
    std::uint64_t bits;
    const char* name; ///< in sentences and in the record of a run
    const char* key;  ///< in the trainer's record; empty: not there
    bool disturbs;    ///< a run that is held down by it cannot be compared with others
};
inline constexpr std::array kClockReasons = {
    ClockReason{SoftwareHeat | HardwareHeat, "heat", "heat", true},
    ClockReason{HardwareSlowdown, "hardware slowdown", "slowdown", true},
    ClockReason{PowerBrake, "power brake", "", true},
    ClockReason{PowerLimit, "power limit", "power_limit", false},
    ClockReason{SyncBoost, "sync boost", "", true},
    ClockReason{ApplicationClocks, "application clocks", "", false}};

/// "heat", "power limit" …; one name for both kinds of heat.
std::vector<std::string> namesOf(std::uint64_t throttle);

/// The time, and how long each reason has held the clocks of a GPU down by then. Only differences of two
/// readings mean something.
struct ClockReading {
    double seconds = 0.0;
    std::array<double, kClockReasons.size()> held = {}; ///< seconds, by place in kClockReasons

    void add(ThrottleReason reason, double heldSeconds);
};
ClockReading operator-(const ClockReading& after, const ClockReading& before);

/// Someone who computes on a GPU.
struct GpuProcess {
    int pid = 0;
    std::string name;             ///< of its program; empty where it is unknown
    std::int64_t memoryBytes = 0; ///< of the GPU; 0 where the driver does not say
    friend bool operator==(const GpuProcess&, const GpuProcess&) = default;
};

/// A part of a GPU in MIG mode, with memory and processors of its own.
struct GpuPart {
    std::string uuid; ///< "MIG-…"
    std::string name; ///< "NVIDIA A100-SXM4-40GB MIG 1g.5gb"
    std::int64_t memoryBytes = 0;
    std::int64_t freeBytes = 0;
    std::vector<GpuProcess> processes; ///< that compute on it now
    friend bool operator==(const GpuPart&, const GpuPart&) = default;
};

/// How a GPU is set, which its speed depends on; what its driver does not tell is empty.
struct GpuSettings {
    std::optional<double> powerLimitW = {};   ///< that it is held at
    std::optional<double> clockLimitMhz = {}; ///< the highest that it may take
    std::optional<double> applicationClockMhz = {};
    std::optional<bool> correctsErrors = {};                  ///< ECC
    std::optional<bool> isPersistent = {};                    ///< the driver stays loaded
    std::optional<double> pcieGeneration = {};                ///< now: idle GPUs take a lower one
    std::optional<double> pcieLanes = {}, pcieMostLanes = {}; ///< in use; that GPU and slot have
    friend bool operator==(const GpuSettings&, const GpuSettings&) = default;
};

/// One GPU of this machine, or a part of one, as its driver describes it.
struct Gpu {
    int index = 0; ///< in the order of the PCI bus, as nvidia-smi counts
    std::string name;
    std::string uuid;  ///< "GPU-…", of a part "MIG-…"
    std::string pciId; ///< "00000000:1B:00.0"
    std::int64_t memoryBytes = 0;
    std::int64_t freeBytes = 0;
    std::vector<int> nvlinkPeers;      ///< GPUs that it reaches over NVLink
    std::vector<GpuProcess> processes; ///< that compute on it now
    bool countsEnergy = false;
    bool isSlowed = false; ///< its clocks are held down by heat, a hardware slowdown or a power brake
    GpuSettings settings = {};
    std::vector<GpuPart> parts = {}; ///< in MIG mode, which leaves nothing else of the GPU to be used

    friend bool operator==(const Gpu&, const Gpu&) = default;
};

/// All GPUs of a machine, or why there are none.
struct GpuSurvey {
    std::vector<Gpu> gpus;
    std::string driver;  ///< version, empty without one
    std::string whyNone; ///< a sentence without its full stop, empty where there are GPUs
};

/// Whether this entry of CUDA_VISIBLE_DEVICES, a number or the beginning of a UUID, means the GPU.
bool isMeant(const std::string& entry, int index, const std::string& uuid);

/// The entries of CUDA_VISIBLE_DEVICES, separated by commas, without blanks.
std::vector<std::string> splitEntries(const std::string& variable);

/// What `find` makes of the entries, in their order; the first one that names no GPU, or one a second time,
/// ends the list, as in CUDA.
template <typename Device, typename Find>
std::vector<Device> findVisible(const std::string& variable, const Find& find)
{
    std::vector<Device> visible;
    for (const std::string& entry : splitEntries(variable)) {
        const std::optional<Device> device = find(entry);
        if (!device || std::ranges::find(visible, device->index, &Device::index) != visible.end())
            break;
        visible.push_back(*device);
    }
    return visible;
}

/// What CUDA_VISIBLE_DEVICES leaves of the GPUs, in its order, see findVisible(). Null: all of
/// them. Where a part of a GPU is among them, the first part is all that a process can use (MIG user guide,
/// "Device enumeration").
std::vector<Gpu> visibleGpus(const std::vector<Gpu>& gpus, const char* variable);

/// The GPUs that a process may use here: those of the survey, by CUDA_VISIBLE_DEVICES.
GpuSurvey restricted(GpuSurvey survey, const char* variable);

/// "GPU 0 NVIDIA H100 80GB HBM3 (79.1 of 79.6 GiB free, PCI 00000000:1B:00.0, NVLink to 1, 2, 3)".
std::string describe(const Gpu& gpu);

/// "GPU 1 is used by python3 (process 4711, 12.3 GiB), process 99"; empty without processes.
std::string describeUsers(int index, std::span<const GpuProcess> processes);

/// Who computes on the GPUs already, or that one is slowed down; empty when nothing disturbs.
std::string describeForeignUse(std::span<const Gpu> gpus);

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
/// of it is declared here (nvml_library.h), because its header is often missing. Machines without it
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
