// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/slurm/job_request.h"

#include <string>
#include <string_view>
#include <vector>

namespace quadric::run {

/// One node of the cluster.
struct ClusterNode {
    std::string name;
    int cpus = 0;
    int gpus = 0;
    std::string partition;  ///< without the mark of the default partition
    std::string state = {}; ///< "idle", "down*"; empty: not told
};

/// What sinfo is asked for, one node a line; clusterNodesFrom() reads the answer.
inline constexpr const char* kNodeFormat = "%N|%c|%G|%R|%T";

std::vector<ClusterNode> clusterNodesFrom(std::string_view answer);

/// GPUs in Slurm's text of generic resources: "gpu:a100:4(S:0-1),gpu:2" has 6.
int gpusIn(std::string_view resources);

/// What sbatch said when it refused a job.
struct SubmitError {
    std::string message;  ///< for people: what was asked, what is there, what to change
    bool mayPass = false; ///< the same request may succeed later: the controller is away, a limit is reached,
                          ///< nodes that could do it are unknown or down
};

/// Turns the standard error of sbatch into a sentence. A configuration that is not available is compared with
/// the nodes that sinfo names: after a start of the controller it may name none, or none that it has heard
/// of.
SubmitError submitError(std::string_view standardError, const JobRequest& request,
                        const std::vector<ClusterNode>& nodes);

/// sbatch said that no node fits, without saying why: the nodes are worth a look.
bool concernsNodes(std::string_view standardError);

} // namespace quadric::run
