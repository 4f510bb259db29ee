// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"
#include "app/cli/base/fit_selection.h"
#include "app/cli/output/study_output.h"
#include "core/plan/plan_choices.h"

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

/// What a command plans: the choices that the study keeps, and in their place those of the command line.
struct PlanOptions {
    StudyOption study;
    FitSelection selection;
    std::vector<std::string> at;
    std::optional<double> amount; ///< of epochs, images, …
    /// Each takes over an option that is given.
    std::vector<std::function<void(plan::PlanChoices&)>> given;
};

/// Adds an option for a choice; its value goes into `options.given`.
template <typename Value, typename Choice>
void addChoice(Command& command, PlanOptions& options, const std::string& name,
               Choice plan::PlanChoices::*choice, const Kind& kind, const std::string& valueName,
               const std::string& help)
{
    auto value = std::make_shared<Value>();
    command.option(name, *value, kind, valueName, help);
    options.given.push_back([value, choice](plan::PlanChoices& choices) {
        if constexpr (std::is_same_v<Value, std::string>) {
            if (!value->empty())
                choices.*choice = *value;
        } else if (*value) {
            choices.*choice = **value;
        }
    });
}

/// Adds --response and --amount.
void addWorkOptions(Command& command, PlanOptions& options);
/// Adds --at.
void addSettingsOption(Command& command, PlanOptions& options);

/// A study with the models of its responses and what is planned.
struct PlannedStudy {
    study::Study study;
    std::vector<model::Fit> fits;
    plan::PlanChoices choices;

    /// That says how long the work takes.
    const model::Fit& fit() const { return *plan::plannedFit(fits, choices); }
    /// The settings of the run. Throws WorkError where nothing can be run.
    study::Settings settings() const;
};

/// Throws UsageError for choices that do not fit the study, and WorkError with the reason where no model
/// tells how long the work takes.
PlannedStudy readPlanned(const PlanOptions& options);

/// A number above 0. Throws UsageError naming the option.
double requirePositive(const std::string& option, double value);

/// "90", "90 s", "1.5h", "30min" in seconds, 0 or more. Throws UsageError naming the option.
double readDuration(const std::string& option, const std::string& text);

/// The fit of the one response that is named. Throws UsageError where none is, and WorkError with the reason
/// where it has no model or no degrees of freedom for error.
model::Fit requireFit(const study::Study& study, const FitSelection& selection);

/// Prints an answer: as its JSON document, or in words.
void printAnswer(bool asJson, const Json& answer, const std::function<void()>& printWords);

} // namespace quadric::app
