// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/cluster/cluster_nodes.h"

#include <functional>

class QObject;

namespace quadric::run {

/// Asks sinfo for the nodes of the cluster, in the background. `done` gets them later, once, unless `owner`
/// is gone by then: none where there is no sinfo, no cluster, or no answer in time.
void askForNodes(QObject* owner, std::function<void(const std::vector<ClusterNode>&)> done,
                 int patienceMs = 20'000);

} // namespace quadric::run
