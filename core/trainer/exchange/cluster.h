// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace quadric::trainer {

/// The place of this process among ranks that a cluster started, perhaps on several hosts.
struct ClusterPlace {
    int rank = 0;
    int ranks = 1;
    int nodes = 1;
    int ranksOnNode = 1;    ///< of the fullest node
    std::string job;        ///< unlike that of every other start: names the rendezvous
    std::string rendezvous; ///< folder that all hosts share
    std::string address;    ///< of this host, as its peers reach it
};

/// Value of an environment variable, null where it is not set.
using Environment = std::function<const char*(const char*)>;

/// Reads what Slurm tells the tasks of a step with several tasks (srun sets SLURM_STEP_ID, SLURM_PROCID,
/// SLURM_NTASKS; a batch script alone has no step). The rendezvous is a folder named after the step in
/// QUADRIC_RENDEZVOUS, or in the working directory; the address is QUADRIC_ADDRESS, or this host's name, or
/// the loopback interface where there is one node only. Nothing outside such a step. Throws Failure
/// (bad-settings) for variables that contradict each other.
std::optional<ClusterPlace> clusterPlace(const Environment& environment, const std::string& host);

} // namespace quadric::trainer
