// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_plan.h"
#include "core/plan/scaling_forecast.h"
#include "core/plan/speed_up.h"
#include "core/report/table.h"

#include <string>

namespace quadric::plan {

/// Utilization, wait by formula, and the simulation that checks it, of both systems.
report::Table makeQueueTable(const QueuePlan& plan);

/// "1 fast responds 12 % faster on average than 3 slow."; says so where the simulated jobs cannot tell, and
/// where one of them is overloaded: "60 jobs per hour overload 3 slow: at most 3 per hour are served."
std::string describeQueue(const QueuePlan& plan);

/// The laws that were tried, best first: their errors at the counts left out, and their weights.
report::Table makeLawTable(const std::vector<LawScore>& laws);

/// Speed with its interval, speed-up and efficiency at each count; where a GPU hour has a price, the cost of
/// a million units of work, too. `unitSeconds`: ScaleModel::unitSeconds.
report::Table makeSpeedTable(const std::vector<ForecastRow>& rows, double gpuHour = 0.0,
                             double unitSeconds = 1.0);

/// Up to how many GPUs doubling them multiplies the speed by `worth` (lastWorthwhile()).
std::string describeWorth(double worth, int last, int smallest);

/// "Weak scaling: the work of each GPU stays the same".
std::string describeScaling(ScalingKind kind);

/// At each measured count speed-up and efficiency with their intervals, beside the ideal; the note names the
/// kind of scaling, the baseline, and what the numbers are means of.
report::Table makeSpeedUpTable(const SpeedUp& speedUp);

} // namespace quadric::plan
