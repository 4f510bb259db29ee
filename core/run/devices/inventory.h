// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/nvml.h"
#include "core/machine/topology.h"

#include <filesystem>
#include <optional>

namespace quadric::devices {

using machine::Core;
using machine::GpuLink;

struct Gpu {
    int index = 0; ///< in NVML's order
    std::string uuid = {}, name = {};
    int node = -1; ///< NUMA node that it is attached to; -1: not told
    bool operator==(const Gpu&) const = default;
};

/// What this machine has for runs.
struct Inventory {
    std::vector<Gpu> gpus = {};
    std::vector<std::vector<GpuLink>> links = {}; ///< between each two of `gpus`
    std::vector<Core> cores = {};                 ///< by their lowest processor
};

struct InventoryOptions {
    std::filesystem::path root = "/";                ///< where sys is
    std::string nvmlLibrary = machine::kNvmlLibrary; ///< empty: no GPU is looked for
    std::optional<std::string> visibleGpus = {};     ///< as CUDA_VISIBLE_DEVICES says; not set: all
    std::vector<int> cpus = {};                      ///< that may be used
    std::size_t mostCpus = std::size_t(-1);          ///< whose time a container's quota leaves
};

/// Reads the machine. Like CUDA it takes the GPUs in the order of `visibleGpus` up to the first entry that
/// names none. Cores beyond `mostCpus` are left out, so that runs together never use more time than there is.
Inventory readInventory(const InventoryOptions& options);

} // namespace quadric::devices
