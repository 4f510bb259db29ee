// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_comparison.h"
#include "core/report/table.h"

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

} // namespace quadric::plan
