// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/devices/inventory.h"

#include <set>

namespace quadric::devices {

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

Connection connectionOf(const std::vector<std::vector<GpuLink>>& links, const Places& chosen,
                        const Places& free);

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

} // namespace quadric::devices
