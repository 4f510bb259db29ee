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
    int ranksOnNode = 1;       ///< of the fullest node
    int placeOnNode = 0;       ///< among the ranks of this node
    std::string job;           ///< unlike that of every other start: names the rendezvous
    std::string rendezvous;    ///< folder that all hosts share
    std::string address;       ///< of this host, as its peers reach it
    std::string failures = {}; ///< folder where a rank leaves why it failed; empty: nobody looks for it
};

/// Value of an environment variable, null where it is not set.
using Environment = std::function<const char*(const char*)>;

/// Reads what a launcher tells the processes that it starts together: srun the tasks of a step
/// (SLURM_STEP_ID, SLURM_PROCID, SLURM_NTASKS; a batch script alone has no step), mpirun of Open MPI 5
/// (OMPI_COMM_WORLD_RANK, …, PMIX_NAMESPACE), torchrun (RANK, WORLD_SIZE, …, TORCHELASTIC_RUN_ID). The
/// rendezvous is a folder named after the start in QUADRIC_RENDEZVOUS, or in the working directory; the
/// address is QUADRIC_ADDRESS, or this host's name, or the loopback interface where there is one node only.
/// Nothing where several were not started together. Throws Failure (bad-settings) for variables that
/// contradict each other.
std::optional<ClusterPlace> clusterPlace(const Environment& environment, const std::string& host);

} // namespace quadric::trainer
