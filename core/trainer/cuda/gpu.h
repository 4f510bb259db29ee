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

/// A part of a GPU in MIG mode, with memory and processors of its own.
struct GpuPart {
    std::string uuid; ///< "MIG-…"
    std::string name; ///< "NVIDIA A100-SXM4-40GB MIG 1g.5gb"
    std::int64_t memoryBytes = 0;
    std::int64_t freeBytes = 0;
    std::vector<GpuProcess> processes; ///< that compute on it now
    friend bool operator==(const GpuPart&, const GpuPart&) = default;
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
    std::vector<GpuPart> parts = {}; ///< in MIG mode, which leaves nothing else of the GPU to be used

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
/// of them. Where a part of a GPU is among them, the first part is all that a process can use (MIG user
/// guide, "Device enumeration").
std::vector<Gpu> visibleGpus(const std::vector<Gpu>& gpus, const char* variable);

/// The GPUs that a process may use here: those of the survey, by CUDA_VISIBLE_DEVICES.
GpuSurvey restricted(GpuSurvey survey, const char* variable);

/// "GPU 0 NVIDIA H100 80GB HBM3 (79.1 of 79.6 GiB free, PCI 00000000:1B:00.0, NVLink to 1, 2, 3)".
std::string describe(const Gpu& gpu);

/// Who computes on the GPUs already, or that one is slowed down; empty when nothing disturbs. "GPU 1 is used
/// by python3 (process 4711, 12.3 GiB)".
std::string foreignUse(std::span<const Gpu> gpus);

} // namespace quadric::trainer::cuda
