// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/fit_selection.h"
#include "core/plan/deadline.h"

#include <limits>

namespace quadric::app {

/// Each adds one command of `quadric plan`.
void addPlanQueue(CLI::App& plan);
void addPlanDeadline(CLI::App& plan);
void addPlanScale(CLI::App& plan);
void addPlanCost(CLI::App& plan);
void addPlanOpinion(CLI::App& plan);

/// What the response says of the work (plan::Work), as typed.
struct WorkOptions {
    std::string kind;             ///< "whole", "per-unit", "speed"; empty: by the unit of the response
    std::optional<double> amount; ///< of epochs, images, …
    std::string fixedTime;
};

/// A run that is planned: the model that tells how long it takes, the work, and the settings that are given.
struct PlannedRunOptions {
    StudyOption study;
    FitSelection selection;
    WorkOptions work;
    std::vector<std::string> at;
};

/// Adds the study, --work, --amount, --fixed-time, --at, and what chooses the model.
void addPlannedRunOptions(CLI::App& command, PlannedRunOptions& options);

/// Whether the response is a speed: said, or its unit is one ("img/s").
bool isSpeed(const WorkOptions& options, const model::Fit& fit);

/// Throws UsageError for what does not fit together.
plan::Work workOf(const WorkOptions& options, const model::Fit& fit);

/// A number above 0. Throws UsageError naming the option.
double requirePositive(const std::string& option, double value);

/// Lets an option take numbers of this range only, both ends included; the parser refuses others with
/// "--watts: -1, expected 0 or more".
CLI::Validator numberFrom(double least, double most = std::numeric_limits<double>::infinity());

/// "90", "90 s", "1.5h", "30min" in seconds, 0 or more. Throws UsageError naming the option.
double readDuration(const std::string& option, const std::string& text);

/// The fit of the one response that is named. Throws UsageError where none is, and WorkError with the reason
/// where it has no model or no degrees of freedom for error.
model::Fit requireFit(const study::Study& study, const FitSelection& selection);

/// The same; where none is named, of the only response whose unit is one of time or of a speed.
model::Fit requireTimedFit(const study::Study& study, FitSelection selection);

/// plan::findFastest(). Throws WorkError where nothing can be run.
study::Settings completeSettings(const study::Study& study, const model::Fit& fit,
                                 const study::Settings& given, bool isFastLarge);

} // namespace quadric::app
