// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_plan.h"
#include "core/plan/scaling_forecast.h"
#include "core/plan/speed_up.h"
#include "core/report/finding.h"
#include "core/report/table.h"
#include "core/study/node_size.h"

#include <functional>
#include <optional>
#include <string>

namespace quadric::plan {

/// Utilization, wait and response of each system, with the intervals of the simulation.
report::Table makeQueueTable(const std::vector<QueueAnswer>& systems);

/// Which of two systems responds faster where jobs differ little and much, at low and high load; no columns
/// without rows.
report::Table makeVariabilityTable(const std::vector<VariabilityRow>& rows);

/// Table I of the paper whose question that is, and why a study can say otherwise (docs/methods/planning.md).
std::string_view describePublishedQueues();

/// "1 fast responds 12 % faster on average than 3 slow."; says so where these jobs cannot tell. Empty where
/// one of them is overloaded.
std::string describeDifference(const QueueAnswer& first, const QueueAnswer& other,
                               const std::optional<Estimate>& difference);

/// "60 jobs per hour overload 3 slow: at most 3 per hour are served."
std::string describeOverload(const QueueAnswer& system, double rate);

/// "The answer turns at 40 jobs per hour (42 % of the capacity of 3 slow), where …".
std::string describeTurn(const QueueAnswer& first, const QueueAnswer& second,
                         const std::optional<double>& rate);

/// The laws that were tried, best first: their errors at the counts left out, and their weights.
report::Table makeLawTable(const std::vector<LawScore>& laws);

/// Speed with its interval, speed-up and efficiency at each count. `costOfMillion`: a column of costs with
/// their intervals; empty: none. `links`: speeds over given links at the same counts; empty: none.
report::Table makeSpeedTable(const std::vector<ForecastRow>& rows, double confidence,
                             const std::function<Estimate(const ForecastRow&)>& costOfMillion = {},
                             const std::vector<LinkSpeed>& links = {});

/// Up to how many GPUs doubling them multiplies the speed by `worth` (lastWorthwhile()).
std::string describeWorth(double worth, int last, int smallest);

/// That counts beyond the measured ones leave part of a node idle; empty where none does.
std::optional<report::Finding> findIdleCounts(const std::vector<ForecastRow>& rows,
                                              const std::optional<study::NodeSize>& node);

/// Speeds over given links, without overlap and with it.
report::Table makeLinkTable(const std::vector<LinkSpeed>& speeds);

/// "Weak scaling: the work of each GPU stays the same".
std::string describeScaling(ScalingKind kind);

/// At each measured count speed-up and efficiency with their intervals, beside the ideal; the note names the
/// kind of scaling, the baseline, and what the numbers are means of.
report::Table makeSpeedUpTable(const SpeedUp& speedUp);

} // namespace quadric::plan
