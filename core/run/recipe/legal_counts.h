// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/cluster/cluster_nodes.h"
#include "core/study/node_size.h"

#include <optional>
#include <string>
#include <vector>

namespace quadric::run {

using study::NodeSize;

/// What is known of nodes beside the study.
struct NodesSeen {
    int gpusHere = 0;                      ///< of this machine
    std::vector<ClusterNode> cluster = {}; ///< empty: none, or Slurm has not answered
};

/// Of the nodes that the study's runs will be on. Of Slurm jobs: their ranks per node, or fewer where the
/// GPUs of the partition's nodes allow only these. Otherwise what the study says (study::nodeSizeOf()), or
/// this machine with its GPUs. Empty where none says it.
std::optional<NodeSize> nodeSizeFor(const study::Study& study, const NodesSeen& seen);

/// A factor whose values are all counts that can be scheduled, and why just these.
struct CountProposal {
    study::Factor factor = {};
    /// That the Slurm jobs must have for it; empty: as they are.
    std::optional<int> ranksPerNode = {};
    std::string title = {};  ///< "Multiples of 8: 8, 16, 24, … 64"
    std::string reason = {}; ///< one sentence
};

/// Whole nodes (multiples of their size) and powers of two within the range of the factor that sets the
/// ranks, the first one the better choice; those with fewer than two values are left out. Empty without such
/// a factor.
std::vector<CountProposal> proposeCounts(const study::Study& study, const std::optional<NodeSize>& node);

/// The study with the proposed factor in place of its own.
study::Study withCounts(study::Study study, const CountProposal& proposal);

/// The study with factors for tensor and pipeline parallelism in powers of two, up to a node and to eight
/// stages, and the constraint that their product divides the ranks: what is left is data parallelism. As it
/// is where it has them already or no factor sets the ranks.
study::Study withParallelism(study::Study study, const std::optional<NodeSize>& node);

inline constexpr const char* kTensorParallel = "tp";
inline constexpr const char* kPipelineParallel = "pp";

} // namespace quadric::run
