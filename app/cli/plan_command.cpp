// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_commands.h"

#include "app/cli/commands.h"
#include "core/optimize/merit/optimum.h"
#include "core/plan/job_records.h"
#include "core/plan/study_jobs.h"
#include "core/text/numbers.h"
#include "core/text/read_number.h"

namespace quadric::app {

double requirePositive(const std::string& option, double value)
{
    if (!(value > 0.0))
        throw UsageError(option + ": " + text::formatExactly(value) + ", expected more than 0");
    return value;
}

double readDuration(const std::string& option, const std::string& text)
{
    const std::size_t end = text.find_first_not_of("0123456789.+-eE");
    const auto number = text::readNumber(text.substr(0, end), '.');
    const auto unit =
        plan::secondsPer(end == text.npos ? "" : text::withoutBlanks(std::string_view(text).substr(end)));
    if (!number || !unit || *number < 0.0)
        throw UsageError(option + ": \"" + text + "\", expected a time such as 90, 30min or 1.5h");
    return *number * *unit;
}

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

bool isSpeed(const WorkOptions& options, const model::Fit& fit)
{
    return options.kind.empty() ? fit.unit.find('/') != std::string::npos : options.kind == "speed";
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
    std::vector<model::Fit> fits = fitsOf(study, selection);
    if (!fits.front().isOk())
        throw WorkError(fits.front().response + ": " + fits.front().message);
    if (fits.front().dfResidual == 0)
        throw WorkError(fits.front().response +
                        ": the model leaves no degrees of freedom to estimate its error");
    return std::move(fits.front());
}

study::Settings completeSettings(const study::Study& study, const model::Fit& fit,
                                 const study::Settings& given, study::Goal goal)
{
    study::Study alone = study;
    for (study::Response& response : alone.responses)
        response.goal = response.name == fit.response ? goal : study::Goal::None;
    optimize::OptimizeOptions options;
    options.fixed = given;
    options.hasAlternatives = false;
    const optimize::Optimum optimum = optimize::findOptimum(alone, {fit}, options);
    if (optimum.settings.empty())
        throw WorkError(optimum.message);
    return optimum.settings;
}

void addPlan(CommandLine& line)
{
    CLI::App* plan = line.app.add_subcommand(
        "plan", "Plan with what the runs have shown: deadlines, queues, larger clusters, costs");
    plan->require_subcommand(1);
    addPlanDeadline(*plan);
    addPlanQueue(*plan);
    addPlanScale(*plan);
    addPlanCost(*plan);
}

} // namespace quadric::app
