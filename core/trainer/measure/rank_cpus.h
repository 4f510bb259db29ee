// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/topology.h"
#include "core/trainer/workload/workload.h"

#include <vector>

namespace quadric::trainer {

/// Processors that each rank of this host is confined to, by rank; empty: none is.
using RankCpus = std::vector<std::vector<int>>;

/// Ranks that compute on processors share these cores out evenly, in the order of their NUMA nodes, whole
/// cores where there is one for each thread: threads stay beside the memory that they have touched first. On
/// one node the system places threads better than a fixed share, unless the user binds them (OMP_PROC_BIND,
/// OMP_PLACES): without shares, threads of all ranks would be bound to the same cores. Too many threads are
/// not confined.
RankCpus shareOfCores(const Workload& workload, std::vector<machine::Core> cores, bool userBinds);

/// Ranks that compute on GPUs, which they take in turn, get all these cores of the node that their GPU is
/// attached to. A rank whose node is not known (-1) or has none of the cores may use all. On one node none is
/// confined.
RankCpus coresBesideGpus(int ranks, const std::vector<int>& nodesOfGpus,
                         const std::vector<machine::Core>& cores);

/// Whether the user says where threads are bound; ranks inherit that.
bool userBindsThreads();

} // namespace quadric::trainer
