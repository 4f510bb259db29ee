// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"
#include "app/cli/base/fit_selection.h"
#include "app/cli/output/study_output.h"
#include "core/plan/deadline.h"

#include <functional>
#include <string>
#include <vector>

namespace quadric::app {

/// Each adds one command of `quadric plan`.
void addPlanQueue(Command& plan);
void addPlanDeadline(Command& plan);
void addPlanScale(Command& plan);
void addPlanCost(Command& plan);
void addPlanOpinion(Command& plan);

/// {"value", "low", "high"}, null where they are not finite; or null.
Json estimateJson(const std::optional<plan::Estimate>& estimate);

/// A run that is planned: the model that tells how long it takes, the work, and the settings that are given.
struct PlannedRunOptions {
    StudyOption study;
    FitSelection selection;
    std::optional<double> amount; ///< of epochs, images, …
    std::string fixedTime;
    std::vector<std::string> at;
};

/// Adds the study, --amount, --fixed-time, --at, and what chooses the model.
void addPlannedRunOptions(Command& command, PlannedRunOptions& options);

/// By the unit of the response: a speed, or a time, with an amount that of a unit of the work. Throws
/// UsageError for what does not fit together.
plan::Work readWork(const PlannedRunOptions& options, const model::Fit& fit);

/// A number above 0. Throws UsageError naming the option.
double requirePositive(const std::string& option, double value);

/// "90", "90 s", "1.5h", "30min" in seconds, 0 or more. Throws UsageError naming the option.
double readDuration(const std::string& option, const std::string& text);

/// The fit of the one response that is named. Throws UsageError where none is, and WorkError with the reason
/// where it has no model or no degrees of freedom for error.
model::Fit requireFit(const study::Study& study, const FitSelection& selection);

/// The same; where none is named, of the only response whose unit is one of time or of a speed.
model::Fit requireTimedFit(const study::Study& study, FitSelection selection);

/// plan::findFastest(). Throws WorkError where nothing can be run.
study::Settings completeSettings(const study::Study& study, const model::Fit& fit,
                                 const study::Settings& given);

/// Prints an answer: as its JSON document, or in words.
void printAnswer(bool asJson, const Json& answer, const std::function<void()>& printWords);

} // namespace quadric::app
