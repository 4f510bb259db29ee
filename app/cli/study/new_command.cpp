// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/study_output.h"
#include "app/cli/study/derived_response.h"
#include "app/cli/study/typed_design.h"
#include "app/cli/study/typed_study.h"
#include "app/shell/command_words.h"
#include "core/design/base/design.h"
#include "core/exchange/export/study_json.h"
#include "core/run/launch/launch.h"
#include "core/run/recipe/approval.h"
#include "core/run/recipe/builtin_workload.h"
#include "core/run/recipe/command_baselines.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/result_pattern.h"
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

/// What a study consists of.
void addStudyOptions(CLI::App& command, NewOptions& options, CLI::Option* fromFile)
{
    command
        .add_option(
            "--factor", options.factors,
            "name:low:high[:unit[:type[:scale]]]; type continuous, integer, discrete or categorical, the "
            "last two with levels for low and nothing for high: precision:fp32|bf16:::categorical; "
            ":multiple_of=8 for counts that can be scheduled, :binds=ranks for the number of GPUs")
        ->type_name("FACTOR")
        ->excludes(fromFile);
    command
        .add_option("--response", options.responses,
                    "name:goal[:unit[:weight]]; goal maximize, minimize, target=VALUE or none; further "
                    ":bounds=0..100 for a percentage, :bounds=0.. for counts: no prediction leaves them")
        ->type_name("RESPONSE")
        ->excludes(fromFile);
    command.add_option("--fixed", options.fixed, "A setting that all runs share: name=value")
        ->type_name("NAME=VALUE")
        ->excludes(fromFile);
    command
        .add_option("--workload", options.workload,
                    "builtin: measured by quadric-trainer; none: you enter the results")
        ->capture_default_str()
        ->check(oneOf({"builtin", "none"}))
        ->type_name("WORKLOAD")
        ->excludes(fromFile);
}

/// The user's own program, and how its output is read.
void addProgramOptions(CLI::App& command, NewOptions& options, CLI::Option* fromFile)
{
    auto* program = command
                        .add_option("--command", options.command,
                                    "The program that measures a run, {factor} where its value goes: "
                                    "\"python3 train.py --lr {lr}\"; no shell executes it")
                        ->type_name("LINE")
                        ->excludes(fromFile);
    command
        .add_option("--read", options.reading,
                    "The text around a response in what the program prints: \"speed=speed: {number} img/s\"; "
                    "\"NAME: {number}\" without it")
        ->type_name("RESPONSE=PATTERN")
        ->needs(program);
    command
        .add_option("--results", options.results,
                    "How the program says its results: patterns (--read), json (the last line that is a JSON "
                    "object), or protocol (quadric_worker.py)")
        ->capture_default_str()
        ->check(oneOf({"patterns", "json", "protocol"}))
        ->needs(program);
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
    addStudyOptions(*command, *options, fromFile);
    addProgramOptions(*command, *options, fromFile);
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
