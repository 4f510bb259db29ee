// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/devices/best_set.h"

namespace quadric::devices {

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

    void giveBack(const Allocation& allocation);

private:
    bool needsEverything(const Need& need) const;
    std::optional<Allocation> takeEverything();

    Inventory m_inventory;
    Places m_freeGpus, m_freeCores;
    int m_users = 0;
    bool m_isTakenWhole = false;
};

} // namespace quadric::devices
