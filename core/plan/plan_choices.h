// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/deadline.h"
#include "core/plan/jobs.h"
#include "core/plan/queue/queue_plan.h"
#include "core/study/study.h"

#include <optional>
#include <string>
#include <vector>

namespace quadric::plan {

/// What the user asks on the page Plan. Kept in the study file as `view.plan`, each member that differs from
/// what is here; `plot` and `report` follow it.
struct PlanChoices {
    // The work that is planned
    std::string response = {};            ///< that tells how long it takes; empty: the first that can
    bool isPerUnit = false;               ///< a time is that of a unit of the work, not of all of it
    std::optional<double> amount = {};    ///< of epochs, images, …
    study::Settings at = {};              ///< factors set by the user; the others are the fastest
    std::optional<double> within = {};    ///< s, of the deadline
    double probability = 0.95;            ///< that is asked of it
    std::string largest = {};             ///< the factor whose largest setting is asked for
    int machines = 3;                     ///< slow ones
    std::optional<double> speedUp = {};   ///< of the fast machine over a slow one; empty: as many as these
    double load = 0.7;                    ///< arrivals over the capacity of the slow machines
    std::optional<double> variation = {}; ///< of jobs with the mean of the runs; empty: the runs themselves
    std::string countFactor = {};         ///< the number of GPUs; empty: countFactorOf() finds it
    int doublings = 3;                    ///< beyond the largest count that was measured
    double worth = 1.5;                   ///< a doubling that multiplies the speed by less does not pay
    double gpuHour = 0.0, kilowattHour = 0.0; ///< prices
    int gpus = 0;                             ///< of a run; 0: as the factor says that is their number, or 1
    double watts = 0.0;                       ///< of a GPU with its share of the machine
    std::string energy = {};                  ///< the response that is the energy of a unit of the work, J
    bool operator==(const PlanChoices&) const = default;
};

/// What cannot be read, or names something that the study does not have, is as if it were not there.
PlanChoices readPlanChoices(const study::Study& study);
study::Study withPlanChoices(study::Study study, const PlanChoices& choices);

/// The questions that are asked, by the ids of their views: "deadline", "queue", "scaling", "cost". A
/// question is asked where a choice of its own differs from what is there at first; a price of a GPU hour
/// asks for the cost. Where only the work or the settings were chosen it is the deadline.
std::vector<std::string> askedQuestions(const PlanChoices& choices);

/// The fit that says how long the work takes: the chosen one, or the first that can. None: nullptr.
const model::Fit* plannedFit(const std::vector<model::Fit>& fits, const PlanChoices& choices);

/// The work as it is chosen, for such a fit. An amount that is not chosen is what the fastest run does in an
/// hour, in one digit.
Work chosenWork(const model::Fit& fit, const PlanChoices& choices);

/// Settings with their reason where there are none.
struct FastestSettings {
    study::Settings settings = {};
    std::string message = {};
};

/// The settings at which the model predicts the fastest run: the largest value of a speed, the smallest of a
/// time; the factor whose largest setting is asked for is at its high end.
FastestSettings findFastest(const study::Study& study, const model::Fit& fit, const PlanChoices& choices);

/// The fastest settings with those that are chosen in their place. Choosing one factor moves no other.
study::Settings chosenSettings(study::Settings fastest, const PlanChoices& choices);

/// The factor that is the number of GPUs: the chosen one, or study::rankFactorOf(), or one whose unit is
/// GPUs, ranks or nodes. Empty where none is.
std::optional<std::size_t> countFactorOf(const study::Study& study, const PlanChoices& choices);

/// The deadline that is chosen. Where no time is, it is one that is kept with the probability that is asked
/// for, in two digits. `fit` as for RunTime.
DeadlineQuestion deadlineQuestion(const model::Fit& fit, const PlanChoices& choices,
                                  const study::Settings& settings);

/// The systems that are chosen. Jobs are the runs that are done: what the work takes at their values of the
/// response; or a gamma distribution with their mean. Throws std::invalid_argument without a run.
QueueSystems queueQuestion(const study::Study& study, const model::Fit& fit, const PlanChoices& choices);

} // namespace quadric::plan
