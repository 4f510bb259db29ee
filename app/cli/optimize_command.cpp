// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/fit_selection.h"
#include "app/cli/optimize_output.h"
#include "core/study/journal.h"

#include <algorithm>
#include <memory>

namespace quadric::app {

namespace {

struct OptimizeCommand {
    StudyOption study;
    FitSelection selection;
    std::vector<std::string> weights, goals, limits, fixed, varying;
    std::string region = "box";
    std::string maxLeverage, solutions, boxes, costOf, nextRuns, confirm; ///< empty: not given
    std::string criterion = "improvement";
    bool staysNearRuns = false, isRobust = false, isCorrelated = false, isSensitive = false, isAdding = false;
};

constexpr int kMostRuns = 1000;
constexpr int kMostSolutions = 1000;

/// Boxes of settings that are looked at for a proof: some seconds at worst.
constexpr int kBoxes = 400'000;
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
    options.staysNearRuns = command.staysNearRuns;
    if (!command.maxLeverage.empty()) {
        options.maxLeverage = readNumber("--max-leverage", command.maxLeverage);
        if (!(*options.maxLeverage > 0.0))
            throw UsageError("--max-leverage: " + command.maxLeverage + ", expected more than 0");
    }
    if (!command.solutions.empty())
        options.solutions = readInteger("--solutions", command.solutions, 1, kMostSolutions);
    options.boxes = static_cast<std::size_t>(
        command.boxes.empty() ? kBoxes : readInteger("--boxes", command.boxes, 0, kMostBoxes));
    return options;
}

/// "name=value" for every entry of a list of options.
std::map<std::string, double> readNumbers(const study::Study& study, const std::string& option,
                                          const std::vector<std::string>& texts)
{
    std::map<std::string, double> numbers;
    for (const std::string& text : texts) {
        const auto [name, value] = splitAssignment(option, text);
        const study::Factor& factor = requireFactor(study, option, name);
        const double number = readNumber(option + " " + name, value);
        if (!factor.isNumeric() || number < 0.0)
            throw UsageError(option + " " + name + ": " + value +
                             ", expected a standard deviation of 0 or more of a numeric factor");
        numbers[name] = number;
    }
    return numbers;
}

void findCosts(const study::Study& study, const std::vector<model::Fit>& fits, const OptimizeCommand& command,
               const optimize::OptimizeOptions& options, Decision& decision)
{
    const bool isCurve = command.costOf.find('=') == std::string::npos;
    const auto [name, text] =
        isCurve ? std::pair(command.costOf, std::string()) : splitAssignment("--cost-of", command.costOf);
    const study::Factor& factor = requireFactor(study, "--cost-of", name);
    if (options.fixed.contains(name))
        throw UsageError("--cost-of " + name + ": the factor is held by --fix, expected one that is free");
    decision.costFactor = name;
    if (isCurve) {
        decision.costs = optimize::costCurve(study, fits, name, options);
        return;
    }
    decision.costs = {optimize::costOfFixing(study, fits, name, readValue(factor, "--cost-of", text), options,
                                             decision.optimum)};
    if (!decision.costs.front().isOk())
        throw WorkError("--cost-of " + command.costOf + ": " + decision.costs.front().held.message);
}

void findChances(const study::Study& study, const std::vector<model::Fit>& fits,
                 const OptimizeCommand& command, const optimize::OptimizeOptions& options, Decision& decision)
{
    optimize::ProbabilityOptions probability;
    probability.isCorrelated = command.isCorrelated;
    decision.limits = optimize::limitProbabilities(study, fits, decision.optimum.settings, probability);
    decision.robust = optimize::findRobust(study, fits, options, probability);
}

/// No setting is inside all limits: there is one that comes nearest, and nothing else to say about it.
bool isNearestOnly(const Decision& decision)
{
    return decision.optimum.status == optimize::OptimumStatus::ZeroDesirability;
}

Decision decide(const study::Study& study, const std::vector<model::Fit>& fits,
                const OptimizeCommand& command)
{
    const optimize::OptimizeOptions options = optionsOf(study, command);
    Decision decision;
    decision.optimum = optimize::findOptimum(study, fits, options);
    if (isNearestOnly(decision))
        return decision;
    if (!decision.optimum.isOk())
        throw WorkError("no optimum: " + decision.optimum.message);
    decision.front = optimize::tradeOffFront(study, fits, options);
    if (command.isRobust || command.isCorrelated)
        findChances(study, fits, command, options, decision);
    if (!command.varying.empty())
        decision.transmitted = optimize::propagateError(study, fits, decision.optimum.settings,
                                                        readNumbers(study, "--vary", command.varying));
    if (command.isSensitive)
        decision.sensitivity = optimize::sensitivityOf(study, fits, decision.optimum, options);
    if (!command.costOf.empty())
        findCosts(study, fits, command, options, decision);
    if (!command.nextRuns.empty()) {
        const auto criterion = optimize::runCriterionFrom(command.criterion);
        if (!criterion)
            throw UsageError("--criterion: \"" + command.criterion +
                             "\", expected improvement, variance or variance-at-optimum");
        const int count = readInteger("--next-runs", command.nextRuns, 1, kMostRuns);
        decision.nextRuns = optimize::nextRuns(study, fits, count, *criterion, options);
        if (!decision.nextRuns->isOk())
            throw WorkError("no next runs: " + decision.nextRuns->message);
    }
    decision.confirmations = optimize::confirmationVerdicts(study, fits);
    return decision;
}

/// Adds runs to the study's file, with what a runner left in the journal folded in.
std::vector<int> addRuns(const std::string& path, const std::vector<study::Settings>& settings,
                         study::RunKind kind)
{
    const study::StudyLock lock(path);
    study::foldJournal(path);
    study::Study study = study::loadStudy(path).study;
    const std::size_t before = study.runs.size();
    study = study::withRuns(std::move(study), settings, kind);
    study::saveStudy(study, path);
    std::vector<int> ids;
    for (std::size_t i = before; i < study.runs.size(); ++i)
        ids.push_back(study.runs[i].id);
    return ids;
}

void addRuns(const OptimizeCommand& command, Decision& decision)
{
    std::vector<study::Settings> settings;
    if (!command.confirm.empty()) {
        const int count = readInteger("--confirm", command.confirm, 1, kMostRuns);
        settings.assign(static_cast<std::size_t>(count), decision.optimum.settings);
        decision.addedRuns = addRuns(command.study.path, settings, study::RunKind::Confirmation);
    }
    if (!command.isAdding)
        return;
    settings.clear();
    for (const optimize::NextRun& run : decision.nextRuns->runs)
        settings.push_back(run.settings);
    const std::vector<int> added = addRuns(command.study.path, settings, study::RunKind::Augment);
    decision.addedRuns.insert(decision.addedRuns.end(), added.begin(), added.end());
}

void findBest(const OptimizeCommand& command)
{
    if (command.isAdding && command.nextRuns.empty())
        throw UsageError("--add: nothing to add, expected --next-runs K beside it");
    const study::Study study =
        withGoals(withSelection(readStudy(command.study.path), command.selection), command);
    const std::vector<model::Fit> fits = fitsOf(study, command.selection);
    reportUnusable(fits);
    Decision decision = decide(study, fits, command);
    if (!isNearestOnly(decision))
        addRuns(command, decision);
    if (command.study.json)
        printJson(decisionJson(decision));
    else
        printDecision(study, decision);
    if (isNearestOnly(decision))
        throw WorkError("no optimum: " + decision.optimum.message);
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
    command.add_option("--fix", options.fixed, "Hold a factor: f=value")->type_name("F=V");
    command.add_flag("--near-runs", options.staysNearRuns, "Only settings that are no extrapolation");
    command
        .add_option("--max-leverage", options.maxLeverage,
                    "Only settings with at most this leverage in every model")
        ->type_name("H");
    command.add_option("--solutions", options.solutions, "How many ranked solutions to list")->type_name("N");
    command
        .add_option("--boxes", options.boxes,
                    "Most boxes of settings looked at to prove that nothing is better")
        ->type_name("N");
}

void addDecisionOptions(CLI::App& command, OptimizeCommand& options)
{
    command.add_flag("--robust", options.isRobust,
                     "Probability that all limits hold, and the settings where it is largest");
    command.add_flag("--correlated", options.isCorrelated,
                     "The same with the correlation of the responses' residuals");
    command.add_option("--vary", options.varying, "A setting varies by this standard deviation: f=SD")
        ->type_name("F=SD");
    command.add_flag("--sensitivity", options.isSensitive, "How the answer follows each weight and limit");
    command
        .add_option("--cost-of", options.costOf,
                    "What holding a factor costs: f=value, or f for a table over its values")
        ->type_name("F[=V]");
    command.add_option("--next-runs", options.nextRuns, "Propose this many runs worth spending")
        ->type_name("K");
    command
        .add_option("--criterion", options.criterion,
                    "What they are to be good for: improvement, variance or variance-at-optimum")
        ->capture_default_str()
        ->type_name("C");
    command.add_flag("--add", options.isAdding, "Add the proposed runs to the study");
    command
        .add_option("--confirm", options.confirm,
                    "Add this many confirmation runs at the best settings to the study")
        ->type_name("N");
}

} // namespace

void addOptimize(CommandLine& line)
{
    auto options = std::make_shared<OptimizeCommand>();
    CLI::App* command = line.app.add_subcommand("optimize", "Find the best settings by desirability");
    addStudyOption(*command, options->study);
    addFitOptions(*command, options->selection);
    addSearchOptions(*command, *options);
    addDecisionOptions(*command, *options);
    command->callback([options] { findBest(*options); });
}

} // namespace quadric::app
