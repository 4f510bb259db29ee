// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::run {

/// One node of the cluster, in one partition.
struct ClusterNode {
    std::string name;
    int cpus = 0;
    int gpus = 0;
    std::string partition;  ///< without the mark of the default partition
    std::string state = {}; ///< "idle", "down*"; empty: not told
    bool isInDefault = false;
};

/// What sinfo is asked for, one node a line; clusterNodesFrom() reads the answer.
inline constexpr const char* kNodeFormat = "%N|%c|%G|%P|%T";

std::vector<ClusterNode> clusterNodesFrom(std::string_view answer);

/// GPUs in Slurm's text of generic resources: "gpu:a100:4(S:0-1),gpu:2" has 6.
int gpusIn(std::string_view resources);

/// The nodes of a partition, or of several ("a,b"), each once; all nodes where none is named.
std::vector<ClusterNode> nodesOf(const std::vector<ClusterNode>& nodes, const std::string& partition);

/// GPUs of a node of a partition.
struct NodeGpus {
    int gpus = 0;      ///< that most of its nodes with GPUs have; the fewer, where as many have more
    std::string words; ///< "sinfo: partition gpu has 12 nodes of 8 and 2 nodes of 4 GPUs"
};

/// Of the default partition, where none is named; empty where the partition has no GPUs.
std::optional<NodeGpus> gpusOfNodes(const std::vector<ClusterNode>& nodes, std::string partition);

} // namespace quadric::run
