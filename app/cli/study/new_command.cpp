// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/study_output.h"
#include "app/cli/study/derived_response.h"
#include "app/cli/study/typed_design.h"
#include "app/shell/command_words.h"
#include "core/design/base/design.h"
#include "core/exchange/export/study_json.h"
#include "core/run/launch/launch.h"
#include "core/run/recipe/approval.h"
#include "core/run/recipe/builtin_workload.h"
#include "core/run/recipe/command_baselines.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/result_pattern.h"
#include "core/study/bounds.h"
#include "core/study/derived.h"
#include "core/study/files/study_identity.h"
#include "core/templates/templates.h"
#include "core/text/find_nearest.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace quadric::app {

namespace {

struct NewOptions {
    StudyOption study;
    std::string templateName, workload = "none", command, results = "patterns";
    std::vector<std::string> factors, responses, fixed, reading, derived;
    DesignOptions design;
};

/// "this-machine, …, plan-64-gpus; or an example: cpu-ranks, resnet50-scaling"
std::string templateNames()
{
    return text::joinWords(templates::templates(), ", ", &templates::Template::name) +
           "; or an example: " + text::joinWords(templates::examples());
}

std::vector<std::string> knownTemplates()
{
    std::vector<std::string> names = namesOf(templates::templates());
    for (const std::string_view example : templates::examples())
        names.emplace_back(example);
    return names;
}

study::Study fromTemplate(const std::string& name)
{
    try {
        return templates::studyFrom(name, run::thisMachine().cores);
    } catch (const std::out_of_range&) {
        throw UsageError("--template: " + text::describeUnknown(name, knownTemplates()));
    }
}

/// The levels of a discrete or categorical factor stand in place of the low value: "fp32|bf16".
void readLevels(study::Factor& factor, const std::string& option, const std::vector<std::string>& parts)
{
    for (const std::string& level : split(parts[1], '|')) {
        if (factor.type == study::FactorType::Categorical)
            factor.categories.push_back(level);
        else
            factor.levels.push_back(readNumber(option, level));
    }
    if (factor.type == study::FactorType::Discrete) {
        std::ranges::sort(factor.levels);
        factor.low = factor.levels.front();
        factor.high = factor.levels.back();
    }
}

/// Parts such as "multiple_of=8", wherever they stand behind the name; the others keep their order.
std::vector<std::string> takeFacts(std::vector<std::string>& parts)
{
    const auto isFact = [](const std::string& part) {
        return part.starts_with("multiple_of=") || part.starts_with("binds=");
    };
    std::vector<std::string> facts;
    std::ranges::copy_if(parts, std::back_inserter(facts), isFact);
    std::erase_if(parts, isFact);
    return facts;
}

void readFacts(const std::string& option, const std::vector<std::string>& facts, study::Factor& factor)
{
    for (const std::string& fact : facts) {
        const auto [name, value] = splitAssignment(option, fact);
        if (name == "multiple_of")
            factor.multipleOf = readInteger(option + ": multiple_of", value, 1, 1'000'000);
        else if (value == "ranks")
            factor.binds = value;
        else
            throw UsageError(option + ": binds " + text::describeUnknown(value, {"ranks"}));
    }
}

study::Factor readFactor(const std::string& text)
{
    std::vector<std::string> parts = split(text, ':');
    const std::vector<std::string> facts = takeFacts(parts);
    if (parts.size() < 3 || parts.size() > 6 || parts[0].empty())
        throw UsageError("--factor \"" + text +
                         "\": expected name:low:high[:unit[:type[:scale]]][:multiple_of=N][:binds=ranks]");
    parts.resize(6);
    const std::string option = "--factor " + parts[0];
    study::Factor factor;
    readFacts(option, facts, factor);
    factor.name = parts[0];
    factor.unit = parts[3];
    const auto type = study::factorTypeFrom(parts[4].empty() ? "continuous" : parts[4]);
    if (!type)
        throw UsageError(
            option + ": type " +
            text::describeUnknown(parts[4], {"continuous", "integer", "discrete", "categorical"}));
    factor.type = *type;
    const auto scale = study::scaleFrom(parts[5].empty() ? "linear" : parts[5]);
    if (!scale)
        throw UsageError(option + ": scale " + text::describeUnknown(parts[5], {"linear", "log2"}));
    factor.scale = *scale;
    if (factor.type == study::FactorType::Discrete || factor.type == study::FactorType::Categorical) {
        readLevels(factor, option, parts);
        return factor;
    }
    factor.low = readNumber(option, parts[1]);
    factor.high = readNumber(option, parts[2]);
    if (factor.multipleOf > 1 && factor.type != study::FactorType::Integer)
        throw UsageError(option + ": multiple_of needs the type integer");
    return factor;
}

/// The part "bounds=0..100", taken out of the others; without one what is known of the name.
std::optional<study::Bounds> takeBounds(const std::string& option, std::vector<std::string>& parts)
{
    constexpr std::string_view kKey = "bounds=";
    const auto found =
        std::ranges::find_if(parts, [&](const std::string& part) { return part.starts_with(kKey); });
    if (found == parts.end())
        return study::knownBounds(parts.front());
    const std::string value = found->substr(kKey.size());
    parts.erase(found);
    if (value == "none")
        return std::nullopt;
    const auto bounds = study::boundsFrom(value);
    const std::string problem = bounds ? study::problemOf(*bounds) : std::string();
    if (!bounds || !problem.empty())
        throw UsageError(option + ": bounds \"" + value + "\", expected 0..100, 0.. or none" +
                         (problem.empty() ? "" : ": " + problem));
    return bounds;
}

/// name:goal[:unit[:weight]][:bounds=A..B], where goal may be target=VALUE.
study::Response readResponse(const std::string& text)
{
    std::vector<std::string> parts = split(text, ':');
    const std::string option = "--response " + parts[0];
    const std::optional<study::Bounds> bounds = takeBounds(option, parts);
    if (parts.size() < 2 || parts.size() > 4 || parts[0].empty())
        throw UsageError("--response \"" + text + "\": expected name:goal[:unit[:weight]][:bounds=0..100]");
    parts.resize(4);
    study::Response response;
    response.name = parts[0];
    response.bounds = bounds;
    response.unit = parts[2];
    const bool isTarget = parts[1].starts_with("target=");
    const auto goal = study::goalFrom(isTarget ? "target" : parts[1]);
    if (!goal || (*goal == study::Goal::Target && !isTarget))
        throw UsageError(option + ": goal " +
                         text::describeUnknown(parts[1], {"maximize", "minimize", "target=VALUE", "none"}));
    response.goal = *goal;
    if (isTarget)
        response.target = readNumber(option, parts[1].substr(7));
    if (!parts[3].empty())
        response.weight = readNumber(option, parts[3]);
    return response;
}

study::Value readFixedValue(const std::string& text)
{
    try {
        return readNumber("--fixed", text);
    } catch (const UsageError&) {
        return text;
    }
}

/// What reads the results: the patterns that were given, and "NAME: {number}" for the other responses.
study::ParseSpec readPatterns(const study::Study& study, const std::vector<std::string>& assignments)
{
    study::ParseSpec parse{.kind = study::ParseSpec::Kind::Regex};
    for (const study::Response& response : study.responses)
        if (!study::isComputed(study, response.name) && !run::isRelated(study, response.name))
            parse.patterns[response.name] = response.name + ": " + run::kNumberPlace;
    for (const std::string& assignment : assignments) {
        const auto [name, pattern] = splitAssignment("--read", assignment);
        requireResponse(study, "--read", name);
        parse.patterns[name] = pattern;
    }
    return parse;
}

/// How the program says its results.
study::ParseSpec readResults(const study::Study& study, const NewOptions& options)
{
    if (options.results == "protocol")
        return {};
    if (options.results == "json")
        return {.kind = study::ParseSpec::Kind::LastJson};
    return readPatterns(study, options.reading);
}

/// The user's own program, from here: what it is called with, and where it runs.
void takeCommand(study::Study& study, const NewOptions& options)
{
    study.benchmark.workload = "command";
    study.benchmark.argv = commandWords(options.command);
    std::erase(study.benchmark.argv, std::string());
    study.benchmark.parse = readResults(study, options);
    try {
        run::checkRecipe(study);
    } catch (const run::RecipeError& error) {
        throw UsageError(std::string("--command: ") + error.what());
    }
}

study::Study fromOptions(const NewOptions& options)
{
    if (options.factors.empty() || options.responses.empty())
        throw UsageError("new: expected --template NAME, or at least one --factor and one --response");
    study::Study study;
    study.name = std::filesystem::path(options.study.path).stem().string();
    study.benchmark.workload = options.workload;
    for (const std::string& factor : options.factors)
        study.factors.push_back(readFactor(factor));
    for (const std::string& response : options.responses)
        study.responses.push_back(readResponse(response));
    for (const std::string& fixed : options.fixed) {
        const auto [name, value] = splitAssignment("--fixed", fixed);
        study.fixed[name] = readFixedValue(value);
    }
    for (const std::string& derived : options.derived)
        takeDerived("--derive", derived, study);
    if (!options.command.empty())
        takeCommand(study, options);
    return study;
}

void makeStudy(const NewOptions& options)
{
    const std::string& path = options.study.path;
    if (std::filesystem::exists(path))
        throw UsageError(path + ": there is a file of this name already, expected a new one");
    study::Study study =
        options.templateName.empty() ? fromOptions(options) : fromTemplate(options.templateName);
    if (const auto problems = study::validate(study); !problems.empty())
        throw UsageError(path + ": " + problems.front().where + ": " + problems.front().message);
    if (options.design.areGiven())
        if (const std::string reason = applyDesignOptions(options.design, study); !reason.empty())
            std::cerr << "quadric: " << reason << '\n';
    const bool isBlank = study.factors.empty();
    if (!isBlank && (options.design.areGiven() || (study.runs.empty() && !options.templateName.empty())))
        study = laidOutByCommand(std::move(study));
    study.id = study::makeStudyId();
    study::saveStudy(study, path, study::DocumentState{});
    if (!options.command.empty())
        run::ApprovalRequest(study, path).approve(); // whoever has just typed it need not be asked
    if (const std::string gaps = run::gapsInWords(study); !gaps.empty())
        std::cerr << "quadric: the study is made, and cannot be run as it is: " << gaps << '\n';
    if (options.study.json)
        printJson(exchange::studyJson(study));
    else
        std::cout << path << ": " << text::formatCount(study.factors.size(), "factor") << ", "
                  << text::formatCount(study.responses.size(), "response") << ", "
                  << text::formatCount(study.runs.size(), "run") << '\n';
}

} // namespace

void addNew(CommandLine& line)
{
    auto options = std::make_shared<NewOptions>();
    CLI::App* command =
        line.app.add_subcommand("new", "Create a study, from a template or from factors and responses");
    command->add_option("study", options->study.path, "The file to write")
        ->required()
        ->type_name("OUT.quadric");
    command->add_flag("--json", options->study.json, "Print the study as JSON");
    auto* fromFile = command->add_option("--template", options->templateName, "One of: " + templateNames())
                         ->type_name("NAME");
    command
        ->add_option("--factor", options->factors,
                     "name:low:high[:unit[:type[:scale]]]; type continuous, integer, discrete or "
                     "categorical, the last "
                     "two with levels for low and nothing for high: precision:fp32|bf16:::categorical; "
                     ":multiple_of=8 for counts that can be scheduled, :binds=ranks for the number of GPUs")
        ->type_name("FACTOR")
        ->excludes(fromFile);
    command
        ->add_option("--response", options->responses,
                     "name:goal[:unit[:weight]]; goal maximize, minimize, target=VALUE or none; further "
                     ":bounds=0..100 for a percentage, :bounds=0.. for counts: no prediction leaves them")
        ->type_name("RESPONSE")
        ->excludes(fromFile);
    command->add_option("--fixed", options->fixed, "A setting that all runs share: name=value")
        ->type_name("NAME=VALUE")
        ->excludes(fromFile);
    command
        ->add_option("--workload", options->workload,
                     "builtin: measured by quadric-trainer; none: you enter the results")
        ->capture_default_str()
        ->check(oneOf({"builtin", "none"}))
        ->type_name("WORKLOAD")
        ->excludes(fromFile);
    auto* program =
        command
            ->add_option("--command", options->command,
                         "The program that measures a run, {factor} where its value goes: \"python3 "
                         "train.py --lr {lr}\"; no shell executes it")
            ->type_name("LINE")
            ->excludes(fromFile);
    command
        ->add_option(
            "--read", options->reading,
            "The text around a response in what the program prints: \"speed=speed: {number} img/s\"; "
            "\"NAME: {number}\" without it")
        ->type_name("RESPONSE=PATTERN")
        ->needs(program);
    command
        ->add_option("--results", options->results,
                     "How the program says its results: patterns (--read), json (the last line that is a "
                     "JSON object), or "
                     "protocol (quadric_worker.py)")
        ->capture_default_str()
        ->check(oneOf({"patterns", "json", "protocol"}))
        ->needs(program);
    command
        ->add_option(
            "--derive", options->derived,
            "A response that is computed from results, settings and what is seen of the machine "
            "(energy_joules, power_w, gpu_memory_peak_mib, run_seconds): \"per_gpu=tokens_per_sec / gpus\"")
        ->type_name("NAME=EXPRESSION")
        ->excludes(fromFile);
    addDesignOptions(*command, options->design);
    command->callback([options] { makeStudy(*options); });
}

} // namespace quadric::app
