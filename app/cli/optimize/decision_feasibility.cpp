// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/optimize/decision_feasibility.h"

#include "core/report/findings/feasibility_findings.h"

namespace quadric::app {

void findFeasibility(const study::Study& study, const optimize::OptimizeOptions& options, Decision& decision)
{
    decision.feasibility = model::feasibilityOf(study);
    if (!decision.feasibility)
        return;
    const study::Coding coding(study.factors);
    const auto at = [&](const study::Settings& settings) {
        return decision.feasibility->at(coding.toCoded(settings).x);
    };
    decision.runsAtBest = at(decision.optimum.settings);
    for (const optimize::Solution& solution : decision.optimum.solutions)
        decision.runs.push_back(at(solution.settings));
    decision.avoidance =
        report::describeAvoidance(study, decision.optimum.settings, options.leastRunsProbability);
    decision.avoidance.push_back(report::describeRunProbability(study, decision.optimum.settings));
    if (const auto boundary = report::describeBoundary(study, options.leastRunsProbability))
        decision.avoidance.push_back(boundary->sentence);
}

} // namespace quadric::app
