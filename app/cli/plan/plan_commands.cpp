// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan/plan_commands.h"

#include "app/cli/base/commands.h"
#include "core/plan/jobs.h"
#include "core/plan/plan_choices.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <cmath>

namespace quadric::app {

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

void addPlannedRunOptions(Command& command, PlannedRunOptions& options)
{
    addStudyOption(command, options.study);
    command.option("--amount", options.amount, Kind::number(), "N",
                   "How many epochs, images, … are to be done; without it a time is that of all of the work");
    command.option("--fixed-time", options.fixedTime, Kind::freeText(), "TIME",
                   "Time before and after the work that is measured");
    command.option(
        "--at", options.at, Kind::settings(), "SETTINGS",
        "Values of factors: name=value,name=value; the others as they are predicted to be the fastest");
    addFitOptions(command, options.selection);
}

plan::Work readWork(const PlannedRunOptions& options, const model::Fit& fit)
{
    if (plan::isRateUnit(fit.unit) && !options.amount)
        throw UsageError("--amount is missing: " + fit.response + " is a speed, how much is to be done");
    if (!plan::secondsPerUnit(fit.unit) && !fit.unit.empty())
        throw UsageError("--response: " + fit.response + " is in " + fit.unit +
                         ", expected a time (s, ms, min, h) or a speed (img/s)");
    plan::PlanChoices choices{.isPerUnit = options.amount.has_value()};
    if (options.amount)
        choices.amount = requirePositive("--amount", *options.amount);
    if (!options.fixedTime.empty())
        choices.fixedSeconds = readDuration("--fixed-time", options.fixedTime);
    return plan::chosenWork(fit, choices);
}

model::Fit requireFit(const study::Study& study, const FitSelection& selection)
{
    if (selection.response.empty() && study.responses.size() != 1)
        throw UsageError("--response is missing: which of " + text::joinWords(namesOf(study.responses)));
    std::vector<model::Fit> fits = fitsOf(study, selection);
    if (!fits.front().isOk())
        throw WorkError(fits.front().response + ": " + fits.front().message);
    if (fits.front().dfResidual == 0)
        throw WorkError(fits.front().response +
                        ": the model leaves no degrees of freedom to estimate its error");
    return std::move(fits.front());
}

model::Fit requireTimedFit(const study::Study& study, FitSelection selection)
{
    std::vector<std::string> timed;
    for (const study::Response& response : study.responses)
        if (plan::secondsPerUnit(response.unit))
            timed.push_back(response.name);
    if (selection.response.empty() && timed.size() == 1)
        selection.response = timed.front();
    return requireFit(study, selection);
}

study::Settings completeSettings(const study::Study& study, const model::Fit& fit,
                                 const study::Settings& given)
{
    plan::FastestSettings fastest = plan::findFastest(study, fit, given);
    if (fastest.settings.empty())
        throw WorkError(fastest.message);
    return std::move(fastest.settings);
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
