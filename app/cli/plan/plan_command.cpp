// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan/plan_commands.h"

#include "app/cli/base/commands.h"
#include "core/plan/fastest.h"
#include "core/plan/job_records.h"
#include "core/plan/study_jobs.h"
#include "core/text/numbers.h"
#include "core/text/read_number.h"

#include <cmath>

namespace quadric::app {

double requirePositive(const std::string& option, double value)
{
    if (!(value > 0.0) || std::isinf(value))
        throw UsageError(option + ": " + text::formatExactly(value) + ", expected more than 0" +
                         (std::isfinite(value) ? "" : ", as a number"));
    return value;
}

CLI::Validator numberFrom(double least, double most)
{
    const auto complaint = [least, most](const std::string& typed) {
        const auto value = text::readNumber(typed, '.');
        if (value && *value >= least && *value <= most)
            return std::string();
        return typed + ", expected " + text::formatExactly(least) +
               (std::isinf(most) ? " or more" : " to " + text::formatExactly(most));
    };
    return {complaint, ""};
}

double readDuration(const std::string& option, const std::string& text)
{
    const auto seconds = plan::readSpan(text);
    if (!seconds)
        throw UsageError(option + ": \"" + text + "\", expected a time such as 90, 30min or 1.5h");
    return *seconds;
}

namespace {

void addWorkOptions(CLI::App& command, WorkOptions& options)
{
    command
        .add_option("--work", options.kind,
                    "What the response is: the time of the whole work, of a unit of it (an epoch), or a "
                    "speed; default: by its unit")
        ->check(oneOf({"whole", "per-unit", "speed"}));
    command.add_option("--amount", options.amount, "How many epochs, images, … are to be done")
        ->type_name("N");
    command.add_option("--fixed-time", options.fixedTime, "Time before and after the work that is measured")
        ->type_name("TIME");
}

} // namespace

void addPlannedRunOptions(CLI::App& command, PlannedRunOptions& options)
{
    addStudyOption(command, options.study);
    addWorkOptions(command, options.work);
    command
        .add_option(
            "--at", options.at,
            "Values of factors: name=value,name=value; the others as they are predicted to be the fastest")
        ->type_name("SETTINGS");
    addFitOptions(command, options.selection);
}

bool isSpeed(const WorkOptions& options, const model::Fit& fit)
{
    return options.kind.empty() ? plan::isRateUnit(fit.unit) : options.kind == "speed";
}

plan::Work workOf(const WorkOptions& options, const model::Fit& fit)
{
    const bool isPart = options.kind.empty() ? options.amount.has_value() : options.kind == "per-unit";
    plan::Work work;
    work.kind = isSpeed(options, fit) ? plan::WorkKind::Speed
                : isPart              ? plan::WorkKind::PerUnit
                                      : plan::WorkKind::Whole;
    if (work.kind == plan::WorkKind::Speed && !options.amount)
        throw UsageError("--amount is missing: " + fit.response + " is a speed, how much is to be done");
    if (work.kind == plan::WorkKind::Whole && options.amount)
        throw UsageError("--amount: " + fit.response + " is the time of all of the work");
    work.amount = requirePositive("--amount", options.amount.value_or(1.0));
    work.fixedSeconds = options.fixedTime.empty() ? 0.0 : readDuration("--fixed-time", options.fixedTime);
    const std::size_t slash = work.kind == plan::WorkKind::Speed ? fit.unit.find('/') : fit.unit.npos;
    work.unitSeconds =
        plan::requireTimeUnit(fit.response, slash == fit.unit.npos ? fit.unit : fit.unit.substr(slash + 1));
    return work;
}

model::Fit requireFit(const study::Study& study, const FitSelection& selection)
{
    if (selection.response.empty() && study.responses.size() != 1)
        throw UsageError("--response is missing: which of " + text::joinWords(namesOf(study.responses)));
    std::vector<model::Fit> fits = decidingFitsOf(study, fitsOf(study, selection), selection);
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
        if (plan::unitSecondsOf(response.unit))
            timed.push_back(response.name);
    if (selection.response.empty() && timed.size() == 1)
        selection.response = timed.front();
    return requireFit(study, selection);
}

study::Settings completeSettings(const study::Study& study, const model::Fit& fit,
                                 const study::Settings& given, bool isFastLarge)
{
    plan::FastestSettings fastest = plan::findFastest(study, fit, given, isFastLarge);
    if (fastest.settings.empty())
        throw WorkError(fastest.message);
    return std::move(fastest.settings);
}

void addPlan(CommandLine& line)
{
    CLI::App* plan = line.app.add_subcommand("plan", "Plan with what the runs have shown: deadlines, queues, "
                                                     "larger clusters, costs, and a second opinion");
    plan->require_subcommand(1);
    addPlanDeadline(*plan);
    addPlanQueue(*plan);
    addPlanScale(*plan);
    addPlanCost(*plan);
    addPlanOpinion(*plan);
}

} // namespace quadric::app
