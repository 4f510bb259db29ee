// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/fit_selection.h"
#include "app/cli/study_output.h"
#include "app/cli/text_table.h"
#include "core/optimize/optimum.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct OptimizeCommand {
    StudyOption study;
    FitSelection selection;
    std::vector<std::string> weights, goals, limits, fixed;
    std::string region = "box";
};

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
        throw UsageError("--goal " + name + ": \"" + value +
                         "\", expected maximize, minimize, target:VALUE or none");
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
        throw UsageError("--region: \"" + text + "\", expected box, cube:R or sphere:R");
    const double radius = readNumber("--region", parts[1]);
    if (!(radius > 0.0))
        throw UsageError("--region: radius " + parts[1] + ", expected more than 0 coded units");
    return {parts[0] == "cube" ? optimize::RegionKind::Cube : optimize::RegionKind::Sphere, radius};
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
        options.fixed[name] = readValue(requireFactor(study, "--fix", name), "--fix", value);
    }
    return options;
}

Json responseJson(const optimize::ResponseAtOptimum& response)
{
    const auto& interval = response.predicted.prediction;
    return {{"response", response.response},
            {"predicted", response.predicted.mean},
            {"desirability", response.desirability},
            {"prediction", interval ? Json{interval->low, interval->high} : Json()},
            {"extrapolation", response.predicted.isExtrapolation},
            {"best_alone", response.bestAlone},
            {"sacrifice", response.sacrifice}};
}

Json frontJson(const std::vector<optimize::FrontPoint>& front)
{
    Json list = Json::array();
    for (const optimize::FrontPoint& point : front) {
        Json responses = Json::object();
        for (const auto& [name, value] : point.responses)
            responses[name] = value;
        list.push_back({{"settings", jsonOf(point.settings)}, {"responses", responses}});
    }
    return list;
}

void printOptimumJson(const optimize::Optimum& optimum, const std::vector<optimize::FrontPoint>& front)
{
    Json json = {{"overall", optimum.overall}, {"settings", jsonOf(optimum.settings)}};
    json["responses"] = Json::array();
    for (const optimize::ResponseAtOptimum& response : optimum.responses)
        json["responses"].push_back(responseJson(response));
    json["solutions"] = Json::array();
    for (const optimize::Solution& solution : optimum.solutions)
        json["solutions"].push_back({{"overall", solution.overall}, {"settings", jsonOf(solution.settings)}});
    json["front"] = frontJson(front);
    printJson(json);
}

void printOptimum(const study::Study& study, const optimize::Optimum& optimum)
{
    std::cout << "Best settings: " << settingsText(study, optimum.settings) << "\nOverall desirability "
              << numberText(optimum.overall, 4) << "\n\n";
    TextTable table(
        {"response", "predicted", "prediction interval", "desirability", "best alone", "sacrifice"});
    for (const optimize::ResponseAtOptimum& response : optimum.responses) {
        const auto& interval = response.predicted.prediction;
        table.addRow(
            {response.response, numberText(response.predicted.mean),
             interval ? numberText(interval->low) + " … " + numberText(interval->high) : std::string("–"),
             numberText(response.desirability, 4), numberText(response.bestAlone),
             numberText(response.sacrifice, 4)});
    }
    table.print(std::cout);
    if (optimize::isExtrapolation(optimum))
        std::cout << "\nThis is an extrapolation: no run lies near. Confirm it before relying on it.\n";
    if (!optimum.message.empty())
        std::cout << '\n' << optimum.message << '\n';
}

void printSolutions(const study::Study& study, const optimize::Optimum& optimum)
{
    std::vector<std::string> headings = {"solution", "overall"};
    for (const study::Factor& factor : study.factors)
        headings.push_back(factor.name);
    TextTable table(headings);
    double rank = 0.0;
    for (const optimize::Solution& solution : optimum.solutions) {
        std::vector<TextTable::Cell> row = {++rank, numberText(solution.overall, 4)};
        for (const study::Factor& factor : study.factors) {
            const auto value = solution.settings.find(factor.name);
            row.push_back(value == solution.settings.end() ? std::string("–") : study::toText(value->second));
        }
        table.addRow(std::move(row));
    }
    std::cout << '\n';
    table.print(std::cout);
}

void printFrontSize(const std::vector<optimize::FrontPoint>& front)
{
    if (front.size() > 1)
        std::cout << "\nTrade-off front: " << front.size()
                  << " settings of which none is better in all responses "
                  << "(--json lists them)\n";
}

void findBest(const OptimizeCommand& command)
{
    const study::Study study =
        withGoals(withSelection(readStudy(command.study.path), command.selection), command);
    const optimize::OptimizeOptions options = optionsOf(study, command);
    const std::vector<model::Fit> fits = fitsOf(study, command.selection);
    reportUnusable(fits);
    const optimize::Optimum optimum = optimize::findOptimum(study, fits, options);
    if (!optimum.isOk())
        throw WorkError("no optimum: " + optimum.message);
    const auto front = optimize::tradeOffFront(study, fits, options);
    if (command.study.json) {
        printOptimumJson(optimum, front);
        return;
    }
    printOptimum(study, optimum);
    printSolutions(study, optimum);
    printFrontSize(front);
}

} // namespace

void addOptimize(CommandLine& line)
{
    auto options = std::make_shared<OptimizeCommand>();
    CLI::App* command = line.app.add_subcommand("optimize", "Find the best settings by desirability");
    addStudyOption(*command, options->study);
    addFitOptions(*command, options->selection);
    command->add_option("--weight", options->weights, "Importance of a response: r=2")->type_name("R=W");
    command->add_option("--goal", options->goals, "r=maximize, minimize, target:VALUE or none")
        ->type_name("R=GOAL");
    command->add_option("--limits", options->limits, "Desirability limits: r=LOW:HIGH")
        ->type_name("R=LOW:HIGH");
    command
        ->add_option("--region", options->region, "box (low to high), cube:R or sphere:R, R in coded units")
        ->type_name("REGION");
    command->add_option("--fix", options->fixed, "Hold a factor: f=value")->type_name("F=V");
    command->callback([options] { findBest(*options); });
}

} // namespace quadric::app
