// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>
#include <string>

namespace quadric::study {

/// How many GPUs (or ranks) a node has, and where that is known from.
struct NodeSize {
    int ranks = 1;
    std::string source = {}; ///< "ranks per node of the Slurm jobs"
    bool operator==(const NodeSize&) const = default;
};

bool hasUnitGpus(const Factor& factor);

/// Of the nodes that runs at these settings (or at the fixed ones) are on, as the study says it: those of its
/// Slurm jobs, a setting `ranks_per_node` or `gpus_per_node`, the nodes of the built-in simulation. Empty
/// where the study does not say it.
std::optional<NodeSize> nodeSizeOf(const Study& study, const Settings& settings = {});

/// The same for what this factor counts: where the study says nothing of nodes, and the factor counts GPUs, 8
/// is assumed, as the source then says.
std::optional<NodeSize> likelyNodeSize(const Study& study, const Factor& factor,
                                       const Settings& settings = {});

/// More than a node has, and no multiple of it.
bool leavesIdle(int count, const NodeSize& node);

/// A count that the nodes which it needs are not filled by.
struct IdleRanks {
    std::string factor = {};
    int count = 0;
    int nodes = 0; ///< that it needs
    NodeSize node = {};
    std::vector<int> wholeCounts = {}; ///< the nearest legal ones below and above that fill their nodes

    int all() const { return nodes * node.ranks; }
    int idle() const { return all() - count; }
};

/// Of the factor that sets the ranks, at these settings, by likelyNodeSize(). Empty where the nodes are full,
/// where one node is enough, and where no size of a node is known.
std::optional<IdleRanks> idleRanksAt(const Study& study, const Settings& settings);

} // namespace quadric::study
