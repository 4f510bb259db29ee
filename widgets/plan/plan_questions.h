// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plan/plan_view.h"

namespace quadric::widgets {

/// "Done by 18:00 with 95 %": how surely a run is done in time, over the size of its work, and how much fits
/// into the time.
PlanQuestion askDeadline();

/// One fast machine or several slow ones, for jobs that queue: mean responses over the rate of jobs, by
/// formula as lines, at the rate that is asked for simulated.
PlanQuestion askQueue();

/// What larger clusters would give, and what has to be true for that: measured speeds, the forecast of the
/// laws with its interval, the ideal line, and the last count to which doubling pays.
PlanQuestion askScaling();

/// What a run costs, in money and energy, and how long it takes, over the number of GPUs.
PlanQuestion askCost();

} // namespace quadric::widgets
