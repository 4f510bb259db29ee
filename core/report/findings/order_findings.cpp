// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/order_dependence.h"
#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/findings/measurement_findings.h"
#include "core/text/numbers.h"

namespace quadric::report {

std::vector<Finding> findInRunOrder(const study::Study& study)
{
    std::vector<Finding> findings;
    if (std::vector<int> runs = model::findConsecutiveReplicates(study); !runs.empty())
        findings.push_back(makeFinding(catalogue::kConsecutiveReplicates, {}, std::move(runs)));
    const std::optional<model::OrderDependence> order = model::computeOrderDependence(study);
    if (order && order->isConfounded)
        findings.push_back(
            makeFinding(catalogue::kOrderFollowsFactors,
                        {{"r2", text::formatPercent(order->r2)}, {"p", text::formatPClause(order->p)}}));
    return findings;
}

} // namespace quadric::report
