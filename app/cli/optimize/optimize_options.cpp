// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/optimize/optimize_options.h"

#include "core/optimize/next/chosen_limits.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <iostream>

namespace quadric::app {

namespace {

constexpr int kMostSolutions = 1000;
constexpr int kMostRuns = 1000;
constexpr std::size_t kBoxes = 400'000; ///< that are looked at for a proof: some seconds at worst

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

void addSearchOptions(Command& command, OptimizeCommand& options)
{
    command.option("--weight", options.weights, Kind::assignment(Kind::response(), Kind::number()), "R=W",
                   "Importance of a response: r=2");
    command.option(
        "--goal", options.goals,
        Kind::assignment(Kind::response(), Kind::suggested({"maximize", "minimize", "target:", "none"})),
        "R=GOAL", "r=maximize, minimize, target:VALUE or none");
    command.option("--limits", options.limits, Kind::assignment(Kind::response(), Kind::number()),
                   "R=LOW:HIGH", "Desirability limits: r=LOW:HIGH");
    command.option("--region", options.region, Kind::suggested({"box", "cube:", "sphere:"}), "REGION",
                   "box (low to high), cube:R or sphere:R, R in coded units");
    command.option("--fix", options.fixed, Kind::setting(), "F=V", "Fix a factor: f=value");
    command.flag("--near-runs", options.staysNearRuns, "Only settings inside the region covered by runs");
    command.option("--runs-probability", options.runsProbability, Kind::number(), "P",
                   "Only settings that give a result with at least this probability, learned from failed "
                   "runs (above 0.5: by the lower end of its interval); 0: leave out only settings that "
                   "failed; default: 0.9");
    command.option("--solutions", options.solutions, Kind::wholeNumber(1, kMostSolutions), "N",
                   "How many ranked solutions to list");
}

void addDecisionOptions(Command& command, OptimizeCommand& options)
{
    command.flag("--robust", options.isRobust,
                 "Probability of meeting all limits that are set, and the settings where it is highest");
    command.flag("--correlated", options.isCorrelated,
                 "The same, with correlated residuals of the responses");
    command.option("--vary", options.varying, Kind::assignment(Kind::numericFactor(), Kind::number()), "F=SD",
                   "Standard deviation of a setting in use: f=SD");
    command.option("--confirm", options.confirm, Kind::wholeNumber(1, kMostRuns), "N",
                   "Add this many confirmation runs at the best settings to the study");
}

} // namespace

void addOptimizeOptions(Command& command, OptimizeCommand& options)
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
    options.staysNearRuns = command.staysNearRuns || optimize::readNearRuns(study) == optimize::NearRuns::On;
    options.leastRunsProbability = optimize::readLeastRunsProbability(study);
    if (!command.runsProbability.empty()) {
        options.leastRunsProbability = readNumber("--runs-probability", command.runsProbability);
        if (!(options.leastRunsProbability >= 0.0 && options.leastRunsProbability < 1.0))
            throw UsageError("--runs-probability: " + command.runsProbability +
                             ", expected 0 or more and less than 1");
    }
    options.solutions = command.solutions.value_or(options.solutions);
    options.boxes = kBoxes;
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

} // namespace quadric::app
