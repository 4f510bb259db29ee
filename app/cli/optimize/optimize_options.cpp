// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/optimize/optimize_options.h"

#include "core/optimize/next/near_runs.h"
#include "core/optimize/next/runs_limit.h"
#include "core/text/find_nearest.h"

#include <algorithm>
#include <iostream>

namespace quadric::app {

namespace {

constexpr int kMostSolutions = 1000;
constexpr int kMostRuns = 1000;
constexpr int kMostBoxes = 100'000'000;

study::Response& responseOf(study::Study& study, const std::string& option, const std::string& name)
{
    requireResponse(study, option, name);
    return *std::ranges::find(study.responses, name, &study::Response::name);
}

void setWeight(study::Study& study, const std::string& text)
{
    const auto [name, value] = splitAssignment("--weight", text);
    const double weight = readNumber("--weight " + name, value);
    if (weight < 0.0)
        throw UsageError("--weight " + name + ": " + value + ", expected 0 or more");
    responseOf(study, "--weight", name).weight = weight;
}

void setGoal(study::Study& study, const std::string& text)
{
    const auto [name, value] = splitAssignment("--goal", text);
    study::Response& response = responseOf(study, "--goal", name);
    const bool isTarget = value.starts_with("target:");
    const auto goal = study::goalFrom(isTarget ? "target" : value);
    if (!goal || (*goal == study::Goal::Target && !isTarget))
        throw UsageError("--goal " + name + ": " +
                         text::describeUnknown(value, {"maximize", "minimize", "target:VALUE", "none"}));
    response.goal = *goal;
    if (isTarget)
        response.target = readNumber("--goal " + name, value.substr(7));
}

void setLimits(study::Study& study, const std::string& text)
{
    const auto [name, value] = splitAssignment("--limits", text);
    const std::vector<std::string> parts = split(value, ':');
    if (parts.size() != 2)
        throw UsageError("--limits " + name + ": \"" + value + "\", expected LOW:HIGH");
    study::Response& response = responseOf(study, "--limits", name);
    response.low = readNumber("--limits " + name, parts[0]);
    response.high = readNumber("--limits " + name, parts[1]);
    if (!(*response.low < *response.high))
        throw UsageError("--limits " + name + ": \"" + value + "\", expected LOW below HIGH");
}

optimize::Region readRegion(const std::string& text)
{
    if (text == "box")
        return {};
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() != 2 || (parts[0] != "cube" && parts[0] != "sphere"))
        throw UsageError("--region: " + text::describeUnknown(text, {"box", "cube:R", "sphere:R"}));
    const double radius = readNumber("--region", parts[1]);
    if (!(radius > 0.0))
        throw UsageError("--region: radius " + parts[1] + ", expected more than 0 coded units");
    return {parts[0] == "cube" ? optimize::RegionKind::Cube : optimize::RegionKind::Sphere, radius};
}

/// Nothing forbids such a value, but no run is near.
void warnOutside(const study::Factor& factor, const study::Value& value)
{
    const double* number = std::get_if<double>(&value);
    if (number != nullptr && (*number < factor.low || *number > factor.high))
        std::cerr << "quadric: --fix " << factor.name << "=" << study::toText(*number)
                  << ": outside the range " << study::toText(factor.low) << " to "
                  << study::toText(factor.high) << "; every prediction is an extrapolation\n";
}

void addSearchOptions(CLI::App& command, OptimizeCommand& options)
{
    command.add_option("--weight", options.weights, "Importance of a response: r=2")->type_name("R=W");
    command.add_option("--goal", options.goals, "r=maximize, minimize, target:VALUE or none")
        ->type_name("R=GOAL");
    command.add_option("--limits", options.limits, "Desirability limits: r=LOW:HIGH")
        ->type_name("R=LOW:HIGH");
    command.add_option("--region", options.region, "box (low to high), cube:R or sphere:R, R in coded units")
        ->type_name("REGION");
    command.add_option("--fix", options.fixed, "Fix a factor: f=value")->type_name("F=V");
    command.add_flag("--near-runs", options.staysNearRuns, "Only settings inside the region covered by runs");
    command
        .add_option("--max-leverage", options.maxLeverage,
                    "Only settings with at most this leverage in each model")
        ->type_name("H");
    command
        .add_option("--runs-probability", options.runsProbability,
                    "Only settings that give a result with at least this probability, learned from failed "
                    "runs (above 0.5: by the lower end of its interval); 0: leave out only settings that "
                    "failed; default: 0.9")
        ->type_name("P");
    command.add_option("--solutions", options.solutions, "How many ranked solutions to list")
        ->check(wholeNumber(1, kMostSolutions))
        ->type_name("N");
    command.add_option("--boxes", options.boxes, "Most boxes of settings searched to prove the optimum")
        ->check(wholeNumber(0, kMostBoxes))
        ->type_name("N");
}

void addDecisionOptions(CLI::App& command, OptimizeCommand& options)
{
    command.add_flag("--robust", options.isRobust,
                     "Probability of meeting all limits, and the settings where it is highest");
    command.add_flag("--correlated", options.isCorrelated,
                     "The same, with correlated residuals of the responses");
    command.add_option("--vary", options.varying, "Standard deviation of a setting in use: f=SD")
        ->type_name("F=SD");
    command.add_flag("--sensitivity", options.isSensitive,
                     "Sensitivity of the answer to each weight and limit");
    command
        .add_option("--cost-of", options.costOf,
                    "Cost of fixing a factor: f=value, or f for a table over its values")
        ->type_name("F[=V]");
    command.add_option("--next-runs", options.nextRuns, "Suggest this many next runs")
        ->check(wholeNumber(1, kMostRuns))
        ->type_name("K");
    command
        .add_option("--criterion", options.criterion,
                    "Goal of the suggested runs: improvement, variance, variance-at-optimum or front")
        ->capture_default_str()
        ->type_name("C");
    command
        .add_option(
            "--spend", options.spend,
            "The runs on which this time is spent best, by a Gaussian process: 90s, 20min, 1.5h; with "
            "--criterion front, for the Pareto front")
        ->type_name("TIME");
    command.add_flag(
        "--go", options.isGoing,
        "With --spend: execute the runs, refit and ask again until the time is spent or no run is "
        "expected to gain enough");
    command.add_flag("--add", options.isAdding, "Add the suggested runs to the study");
    command
        .add_option("--confirm", options.confirm,
                    "Add this many confirmation runs at the best settings to the study")
        ->check(wholeNumber(1, kMostRuns))
        ->type_name("N");
}

} // namespace

void addOptimizeOptions(CLI::App& command, OptimizeCommand& options)
{
    addSearchOptions(command, options);
    addDecisionOptions(command, options);
}

study::Study withGoals(study::Study study, const OptimizeCommand& command)
{
    for (const std::string& weight : command.weights)
        setWeight(study, weight);
    for (const std::string& goal : command.goals)
        setGoal(study, goal);
    for (const std::string& limits : command.limits)
        setLimits(study, limits);
    return study;
}

optimize::OptimizeOptions optionsOf(const study::Study& study, const OptimizeCommand& command)
{
    optimize::OptimizeOptions options;
    options.region = readRegion(command.region);
    for (const std::string& text : command.fixed) {
        const auto [name, value] = splitAssignment("--fix", text);
        const study::Factor& factor = requireFactor(study, "--fix", name);
        options.fixed[name] = readValue(factor, "--fix", value);
        warnOutside(factor, options.fixed[name]);
    }
    options.staysNearRuns = command.staysNearRuns || optimize::nearRunsOf(study) == optimize::NearRuns::On;
    if (!command.maxLeverage.empty()) {
        options.maxLeverage = readNumber("--max-leverage", command.maxLeverage);
        if (!(*options.maxLeverage > 0.0))
            throw UsageError("--max-leverage: " + command.maxLeverage + ", expected more than 0");
    }
    options.leastRunsProbability = optimize::leastRunsProbabilityOf(study);
    if (!command.runsProbability.empty()) {
        options.leastRunsProbability = readNumber("--runs-probability", command.runsProbability);
        if (!(options.leastRunsProbability >= 0.0 && options.leastRunsProbability < 1.0))
            throw UsageError("--runs-probability: " + command.runsProbability +
                             ", expected 0 or more and less than 1");
    }
    options.solutions = command.solutions.value_or(options.solutions);
    options.boxes = command.boxes;
    return options;
}

double readSpread(const study::Factor& factor, const std::string& value)
{
    const std::string option = "--vary " + factor.name;
    const double number = readNumber(option, value);
    if (!factor.isNumeric() || number < 0.0)
        throw UsageError(option + ": " + value +
                         ", expected a standard deviation of 0 or more of a numeric factor");
    return number;
}

optimize::Variation readSpreads(const study::Study& study, const OptimizeCommand& command)
{
    optimize::Variation numbers;
    for (const std::string& text : command.varying) {
        const auto [name, value] = splitAssignment("--vary", text);
        const study::Factor& factor = requireFactor(study, "--vary", name);
        numbers[name] = readSpread(factor, value);
    }
    return numbers;
}

optimize::RunCriterion criterionOf(const OptimizeCommand& command)
{
    const auto criterion = optimize::runCriterionFrom(command.criterion);
    if (!criterion)
        throw UsageError("--criterion: " +
                         text::describeUnknown(command.criterion, optimize::runCriterionNames()));
    return *criterion;
}

} // namespace quadric::app
