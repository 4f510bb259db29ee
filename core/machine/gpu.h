// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quadric::machine {

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
std::string foreignUse(std::span<const Gpu> gpus);

} // namespace quadric::machine
