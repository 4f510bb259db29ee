// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan/plan_commands.h"

#include "app/cli/base/commands.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::app {

namespace {

void requireModel(const model::Fit& fit)
{
    if (!fit.isOk())
        throw WorkError(fit.response + ": " + fit.message);
    if (fit.dfResidual == 0)
        throw WorkError(fit.response + ": the model leaves no degrees of freedom to estimate its error");
}

/// The response that is named has a model that is a time or a speed; where none is named, some response has.
void requirePlannedFit(const PlannedStudy& planned, const std::string& named)
{
    if (!named.empty()) {
        const model::Fit& fit = *std::ranges::find(planned.fits, named, &model::Fit::response);
        requireModel(fit);
        if (!plan::hasTimeUnit(fit))
            throw UsageError("--response: " + named + " is in " + fit.unit +
                             ", expected a speed (img/s) or a time (s, ms, min, h)");
    } else if (plan::plannedFit(planned.fits, planned.choices) == nullptr) {
        const auto timed = std::ranges::find_if(
            planned.fits, [](const model::Fit& fit) { return plan::secondsPerUnit(fit.unit).has_value(); });
        if (timed != planned.fits.end())
            requireModel(*timed);
        throw WorkError("no response is a time (s, ms, min, h) or a speed (img/s)");
    }
}

} // namespace

void printAnswer(bool asJson, const Json& answer, const std::function<void()>& printWords)
{
    if (asJson)
        printJson(answer);
    else
        printWords();
}

Json estimateJson(const std::optional<plan::Estimate>& estimate)
{
    return estimate ? Json{{"value", jsonOf(estimate->value)},
                           {"low", jsonOf(estimate->low)},
                           {"high", jsonOf(estimate->high)}}
                    : Json();
}

double requirePositive(const std::string& option, double value)
{
    if (!(value > 0.0) || std::isinf(value))
        throw UsageError(option + ": " + text::formatExactly(value) + ", expected more than 0" +
                         (std::isfinite(value) ? "" : ", as a number"));
    return value;
}

double readDuration(const std::string& option, const std::string& text)
{
    const auto seconds = plan::readSpan(text);
    if (!seconds)
        throw UsageError(option + ": \"" + text + "\", expected a time such as 90, 30min or 1.5h");
    return *seconds;
}

void addWorkOptions(Command& command, PlanOptions& options)
{
    addFitOptions(command, options.selection);
    command.option("--amount", options.amount, Kind::number(), "N",
                   "How many epochs, images, … are to be done; without it a time is that of all of the work");
}

void addSettingsOption(Command& command, PlanOptions& options)
{
    command.option("--at", options.at, Kind::settings(), "SETTINGS",
                   "Values of factors: name=value,name=value; the others as in the study's plan, or as they "
                   "are predicted to be the fastest");
}

PlannedStudy readPlanned(const PlanOptions& options)
{
    PlannedStudy planned{readAnalyzedStudy(options.study.path, options.selection), {}, {}};
    planned.fits = fitsOf(planned.study, {});
    plan::PlanChoices& choices = planned.choices = plan::readPlanChoices(planned.study);
    for (const auto& take : options.given)
        take(choices);
    if (options.amount) {
        choices.amount = requirePositive("--amount", *options.amount);
        choices.isPerUnit = true;
    }
    if (!options.selection.response.empty())
        choices.response = options.selection.response;
    for (const auto& [name, value] : readAssignments(planned.study, "--at", options.at))
        choices.at.insert_or_assign(name, value);
    requirePlannedFit(planned, options.selection.response);
    return planned;
}

study::Settings PlannedStudy::settings() const
{
    plan::FastestSettings fastest = plan::findFastest(study, fit(), choices);
    if (fastest.settings.empty())
        throw WorkError(fastest.message);
    return plan::chosenSettings(std::move(fastest.settings), choices);
}

model::Fit requireFit(const study::Study& study, const FitSelection& selection)
{
    if (selection.response.empty() && study.responses.size() != 1)
        throw UsageError("--response is missing: which of " + text::joinWords(namesOf(study.responses)));
    std::vector<model::Fit> fits = fitsOf(study, selection);
    requireModel(fits.front());
    return std::move(fits.front());
}

void addPlan(CommandLine& line)
{
    Command& plan = line.program.addCommand("plan", "Plan with what the runs have shown: deadlines, queues, "
                                                    "larger clusters, costs, and other kinds of models");
    plan.requireCommand();
    addPlanDeadline(plan);
    addPlanQueue(plan);
    addPlanScale(plan);
    addPlanCost(plan);
    addPlanOpinion(plan);
}

} // namespace quadric::app
