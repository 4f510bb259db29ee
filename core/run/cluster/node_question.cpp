// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/cluster/node_question.h"

#include "core/run/cluster/slurm_call.h"

namespace quadric::run {

void askForNodes(QObject* owner, std::function<void(const std::vector<ClusterNode>&)> done, int patienceMs)
{
    const SlurmCall call{.program = QStringLiteral("sinfo"),
                         .arguments = {QStringLiteral("--noheader"), QStringLiteral("--Node"),
                                       QStringLiteral("--format=%1").arg(QLatin1String(kNodeFormat))},
                         .patienceMs = patienceMs};
    callSlurm(owner, call, [done = std::move(done)](const SlurmAnswer& answer) {
        done(answer.isGood() ? clusterNodesFrom(answer.output.toStdString()) : std::vector<ClusterNode>());
    });
}

} // namespace quadric::run
