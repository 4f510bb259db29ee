// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/cluster/cluster_nodes.h"
#include "core/run/slurm/job_request.h"

#include <string>
#include <string_view>
#include <vector>

namespace quadric::run {

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
