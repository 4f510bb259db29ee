// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>
#include <string>
#include <vector>

namespace quadric::study {

/// How many GPUs (or ranks) a node has, and where that is known from.
struct NodeSize {
    int ranks = 1;
    std::string source = {}; ///< "ranks per node of the Slurm jobs"
    bool isAssumed = false;  ///< nothing says it
    bool operator==(const NodeSize&) const = default;
};

inline constexpr int kUsualNode = 8; ///< GPUs of a node of which nothing is known

bool hasUnitGpus(const Factor& factor);

/// Of the nodes that runs at these settings (or at the fixed ones) are on: those of the study's Slurm jobs, a
/// setting `ranks_per_node` or `gpus_per_node`, the nodes of the built-in simulation. Where the study says
/// nothing of nodes, and one of its factors counts GPUs, 8 is assumed; where none does, empty.
std::optional<NodeSize> nodeSizeOf(const Study& study, const Settings& settings = {});

/// Of the nodes that the ranks set by this factor are on. Empty where the factor sets no ranks, where the
/// study does not say how large a node is, and where that is a factor itself which `held` has no value for.
std::optional<NodeSize> knownNodeOf(const Study& study, const Factor& factor, const Settings& held = {});

/// More than a node has, and no multiple of it: places of its last node stay idle. Such counts are run where
/// somebody asks for them, but not recommended.
bool leavesIdle(double count, const NodeSize& node);

/// The legal values of a factor in its range that leave no place of a known node idle, ascending; all legal
/// ones where none is left. Empty for continuous factors and for more than `most` legal values, as
/// legalValues() has it.
std::vector<double> recommendedValues(const Study& study, const Factor& factor, std::size_t most = 100000);

/// snapToLegal(), and on to the nearest of recommendedValues() where the legal value leaves places idle.
double snapToRecommended(const Study& study, const Factor& factor, double actual);

} // namespace quadric::study
