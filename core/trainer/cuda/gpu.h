// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace quadric::trainer::cuda {

/// Someone who computes on a GPU.
struct GpuProcess {
    int pid = 0;
    std::string name;             ///< of its program; empty where the driver does not know it
    std::int64_t memoryBytes = 0; ///< of the GPU; 0 where the driver does not say
    friend bool operator==(const GpuProcess&, const GpuProcess&) = default;
};

/// One GPU of this machine, as its driver describes it.
struct Gpu {
    int index = 0; ///< in the order of the PCI bus, as nvidia-smi counts
    std::string name;
    std::string uuid;  ///< "GPU-…"
    std::string pciId; ///< "00000000:1B:00.0"
    std::int64_t memoryBytes = 0;
    std::int64_t freeBytes = 0;
    std::vector<int> nvlinkPeers;      ///< GPUs that it reaches over NVLink
    std::vector<GpuProcess> processes; ///< that compute on it now
    bool countsEnergy = false;
    bool isSlowed = false; ///< its clocks are held down by heat, a hardware slowdown or a power brake

    friend bool operator==(const Gpu&, const Gpu&) = default;
};

/// All GPUs of a machine, or why there are none.
struct GpuSurvey {
    std::vector<Gpu> gpus;
    std::string driver;  ///< version, empty without one
    std::string whyNone; ///< a sentence without its full stop, empty where there are GPUs
};

/// What CUDA_VISIBLE_DEVICES leaves of the GPUs, in its order: numbers or the beginnings of UUIDs, separated
/// by commas; the first entry that names no GPU, or one a second time, ends the list, as in CUDA. Null: all
/// of them.
std::vector<Gpu> visibleGpus(const std::vector<Gpu>& gpus, const char* variable);

/// The GPUs that a process may use here: those of the survey, by CUDA_VISIBLE_DEVICES.
GpuSurvey restricted(GpuSurvey survey, const char* variable);

/// "GPU 0 NVIDIA H100 80GB HBM3 (79.1 of 79.6 GiB free, PCI 00000000:1B:00.0, NVLink to 1, 2, 3)".
std::string describe(const Gpu& gpu);

/// Who computes on the GPUs already, or that one is slowed down; empty when nothing disturbs. "GPU 1 is used
/// by python3 (process 4711, 12.3 GiB)".
std::string foreignUse(std::span<const Gpu> gpus);

} // namespace quadric::trainer::cuda
