// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/gpu.h"
#include "core/machine/processor.h"

#include <filesystem>
#include <optional>
#include <set>

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

/// Places in a list of the inventory, ascending.
using Places = std::vector<std::size_t>;

/// How well a set of GPUs is connected; the smaller the better. A ring is as fast as its slowest link, so
/// that comes first.
struct Connection {
    GpuLink worst = GpuLink::NvLink;
    int sum = 0; ///< of all links inside the set, each as its place in GpuLink
    int separated =
        0; ///< the same of the links to the free GPUs that stay, negative: far ones are good to cut
    auto operator<=>(const Connection&) const = default; // NOLINT(modernize-use-nullptr): 0 is a number
};

/// The best connected `count` of the free GPUs (`count` ≤ their number); among equals those that leave the
/// others best connected, then the first. Exact up to 20,000 possible sets, which any choice among 16 GPUs
/// is; beyond that the best of the sets that grow from each GPU by the best next one.
Places bestConnected(const std::vector<std::vector<GpuLink>>& links, const Places& free, std::size_t count);

/// How compact a set of NUMA nodes is; the smaller the better.
struct Compactness {
    int strangers = 0; ///< nodes that are not among the wanted ones
    int packages = 0;
    int nodes = 0;
    int unused = 0; ///< free cores that stay on these nodes: small rests are filled first
    auto operator<=>(const Compactness&) const = default; // NOLINT(modernize-use-nullptr): 0 is a number
};

/// `count` of the free cores (`count` ≤ their number) on the most compact set of NUMA nodes; on each node the
/// first ones. `wanted`: nodes that are preferred, empty: all are alike. Exact up to 12 nodes with free
/// cores; beyond that the nodes with the most free cores are taken.
Places mostCompact(const std::vector<Core>& cores, const Places& free, std::size_t count,
                   const std::set<int>& wanted = {});

/// What a run needs of the machine. None of both: it disturbs nobody and may run beside others.
struct Need {
    int gpus = 0;
    int cores = 0; ///< physical cores
    bool operator==(const Need&) const = default;
};

/// What a run has for itself, as places in the inventory.
struct Allocation {
    Places gpus = {};
    Places cores = {};
    bool isWholeMachine = false; ///< it runs alone and is confined to nothing
    bool operator==(const Allocation&) const = default;
};

/// Gives runs disjoint sets of GPUs and of whole cores.
class Allocator {
public:
    explicit Allocator(Inventory inventory);

    const Inventory& inventory() const { return m_inventory; }

    /// The best connected GPUs and the most compact cores that are free, near these GPUs; nothing while fewer
    /// are free than are needed. Who needs all GPUs or all cores, or more than there are, gets the whole
    /// machine once nobody uses any of it.
    std::optional<Allocation> take(const Need& need);

    void returnAllocation(const Allocation& allocation);

private:
    bool needsEverything(const Need& need) const;
    std::optional<Allocation> allocateEverything();

    Inventory m_inventory;
    Places m_freeGpus, m_freeCores;
    int m_users = 0;
    bool m_isTakenWhole = false;
};

} // namespace quadric::devices
