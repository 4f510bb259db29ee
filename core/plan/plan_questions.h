// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/deadline_answer.h"
#include "core/plan/plan_choices.h"
#include "core/plan/queue/queue_plan.h"

namespace quadric::plan {

/// The deadline that is chosen. Where no time is, it is one that is kept with the probability that is asked
/// for, in two digits. `fit` as for RunTime.
DeadlineQuestion deadlineQuestion(const model::Fit& fit, const PlanChoices& choices,
                                  const study::Settings& settings);

/// The systems that are chosen. Jobs are those of the choices, or where there are none the runs that are
/// done: what the work takes at their values of the response; or a gamma distribution with their mean. Throws
/// std::invalid_argument without a run, and where a job needs more machines than there are.
QueueSystems queueQuestion(const study::Study& study, const model::Fit& fit, const PlanChoices& choices);

/// The most machines that one of the jobs needs; 1 without jobs.
int largestGang(const std::vector<Task>& jobs);

} // namespace quadric::plan
