// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/run_plan_findings.h"

#include "core/report/catalogue/run_plan_sentences.h"
#include "core/text/numbers.h"

namespace quadric::report {

std::string describePlanEnd(const optimize::RunPlan& plan, double leastGain)
{
    if (!plan.isOk())
        return plan.message.empty() ? std::string(catalogue::kPlanSpent) : plan.message;
    if (plan.hasConverged)
        return fill(catalogue::kPlanConverged, {{"least", text::formatPercent(leastGain)}});
    return fill(catalogue::kPlanOutOfTime, {{"next", text::formatPercent(plan.nextGain)}});
}

std::string describeFailedRow(int runs)
{
    return fill(catalogue::kPlanFailed, {{"n", std::to_string(runs)}});
}

std::string describePlanTime(const optimize::RunPlan& plan)
{
    const std::string count = std::to_string(plan.runs.size());
    if (plan.seconds <= 0.0)
        return fill(catalogue::kPlanUntimed, {{"n", count}}, plan.runs.size());
    return fill(catalogue::kPlanTogether, {{"n", count}, {"time", text::formatDuration(plan.seconds)}},
                plan.runs.size());
}

} // namespace quadric::report
