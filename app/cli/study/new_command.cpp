// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/output_option.h"
#include "app/cli/output/study_output.h"
#include "app/cli/study/typed_study.h"
#include "app/shell/completion.h"
#include "core/design/base/design.h"
#include "core/exchange/export/formats.h"
#include "core/run/launch/launch.h"
#include "core/run/recipe/approval.h"
#include "core/run/recipe/baseline_needs.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/recipe_problems.h"
#include "core/run/recipe/result_pattern.h"
#include "core/study/derived.h"
#include "core/study/files/document_state.h"
#include "core/study/files/file.h"
#include "core/study/files/journal.h"
#include "core/templates/templates.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"
#include "core/workload/knob_table.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace quadric::app {

namespace {

struct DeriveOptions {
    StudyOption study;
    std::vector<std::string> derivations;
    std::string goal, unit;
};

void applyWish(const DeriveOptions& options, const std::string& name, study::Study& study)
{
    const auto response = std::ranges::find(study.responses, name, &study::Response::name);
    if (!options.unit.empty())
        response->unit = options.unit;
    if (options.goal.empty())
        return;
    const auto goal = study::goalFrom(options.goal);
    response->goal = *goal;
}

/// How many runs have the result now.
long countResults(const study::Study& study, const std::string& name)
{
    return std::ranges::count_if(study.runs,
                                 [&](const study::Run& run) { return run.results.contains(name); });
}

/// Reads "name=expression" into the study; a response without a goal is added where there is none of the
/// name. Returns the name. Throws UsageError.
std::string addDerivedResponse(const std::string& option, const std::string& text, study::Study& study)
{
    const auto [name, expression] = splitAssignment(option, text);
    try {
        study::setDerived(study, name, expression);
    } catch (const std::invalid_argument& error) {
        throw UsageError(option + ": " + name + ": \"" + expression + "\": " + error.what());
    }
    if (!study::findResponse(study, name)) {
        study::Response response;
        response.name = name;
        response.goal = study::Goal::None;
        study.responses.push_back(response);
    }
    return name;
}

/// The study with what is asked for computed; `names` gets what that is.
study::Study withDerivations(const DeriveOptions& options, study::Study study,
                             std::vector<std::string>& names)
{
    for (const std::string& text : options.derivations) {
        names.push_back(addDerivedResponse("derive", text, study));
        applyWish(options, names.back(), study);
    }
    for (study::Run& run : study.runs)
        run = study::withComputedResults(study, std::move(run));
    if (const auto problems = study::validate(study); !problems.empty() && problems.front().isError)
        throw UsageError("derive: " + problems.front().message);
    return study;
}

void derive(const DeriveOptions& options)
{
    const std::string& path = options.study.path;
    readStudy(path); // says what is wrong with the file before anything is touched
    std::vector<std::string> names;
    const study::Study study = study::editStudy(path, [&](study::Study known) {
        names.clear();
        return withDerivations(options, std::move(known), names);
    });
    nlohmann::ordered_json told = nlohmann::ordered_json::array();
    for (const std::string& name : names)
        told.push_back({{"response", name}, {"runs", countResults(study, name)}});
    if (options.study.json)
        return printJson({{"derived", told}});
    for (const std::string& name : names)
        std::cout << name << ": computed for " << text::formatCount(countResults(study, name), "run") << '\n';
    for (const std::string& name : names)
        if (const std::string gap = study::describeUnknownNames(study, name); !gap.empty())
            std::cerr << "quadric: " << name << ": " << gap << '\n';
}

struct NewOptions {
    StudyOption study;
    std::string templateName, workload = "none", command, results = "patterns";
    std::vector<std::string> factors, responses, fixed, reading, derived;
    DesignOptions design;
};

/// "this-machine, …, plan-64-gpus; or an example: cpu-ranks, h200-resnet18, resnet50-scaling"
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
        if (!study::isComputed(study, response.name) && !run::isScalingResult(study, response.name))
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
void applyCommandOption(study::Study& study, const NewOptions& options)
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
        addDerivedResponse("--derive", derived, study);
    if (!options.command.empty())
        applyCommandOption(study, options);
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
    study::saveNewStudy(study, path);
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

Completion offerTemplates()
{
    Completion found = candidatesOf(templates::templates(), [](const templates::Template& item) {
        return Candidate{std::string(item.name), std::string(item.title)};
    });
    for (const std::string_view example : templates::examples())
        found.candidates.push_back({std::string(example), "example"});
    return found;
}

/// Settings of the built-in workload: other workloads have names that nobody knows.
Completion offerKnobs(const study::Study& /*study*/, const std::string& typed)
{
    const Completion knobs = candidatesOf(workload::kKnobs, [](const workload::Knob& knob) {
        return Candidate{std::string(knob.name), std::string(knob.title)};
    });
    return assigned(typed, knobs, [](const std::string& name) {
        const workload::Knob* knob = workload::findKnob(name);
        return knob ? candidatesOf(workload::choicesOf(*knob),
                                   [](std::string_view choice) { return Candidate{std::string(choice)}; })
                    : Completion{};
    });
}

/// What a study consists of.
void addStudyOptions(Command& command, NewOptions& options, const Option& fromFile)
{
    command
        .option("--factor", options.factors, Kind::freeText(), "FACTOR",
                "name:low:high[:unit[:type[:scale]]]; type continuous, integer, discrete or categorical, the "
                "last two with levels for low and nothing for high: precision:fp32|bf16:::categorical; "
                ":multiple_of=8 for counts that can be scheduled, :binds=ranks for the number of GPUs")
        .excludes(fromFile);
    command
        .option("--response", options.responses, Kind::freeText(), "RESPONSE",
                "name:goal[:unit[:weight]]; goal maximize, minimize, target=VALUE or none; further "
                ":bounds=0..100 for a percentage, :bounds=0.. for counts: no prediction leaves them")
        .excludes(fromFile);
    command
        .option("--fixed", options.fixed, {.offer = offerKnobs}, "NAME=VALUE",
                "A setting that all runs share: name=value")
        .excludes(fromFile);
    command
        .option("--workload", options.workload, Kind::oneOf({"builtin", "none"}), "WORKLOAD",
                "builtin: measured by quadric-trainer; none: you enter the results")
        .showDefault()
        .excludes(fromFile);
}

/// The user's own program, and how its output is read.
void addProgramOptions(Command& command, NewOptions& options, const Option& fromFile)
{
    const Option program = command
                               .option("--command", options.command, Kind::freeText(), "LINE",
                                       "The program that measures a run, {factor} where its value goes: "
                                       "\"python3 train.py --lr {lr}\"; no shell executes it")
                               .excludes(fromFile);
    command
        .option("--read", options.reading, Kind::freeText(), "RESPONSE=PATTERN",
                "The text around a response in what the program prints: \"speed=speed: {number} img/s\"; "
                "\"NAME: {number}\" without it")
        .needs(program);
    command
        .option("--results", options.results, Kind::oneOf({"patterns", "json", "protocol"}), "TEXT",
                "How the program says its results: patterns (--read), json (the last line that is a JSON "
                "object), or protocol (quadric_worker.py)")
        .showDefault()
        .needs(program);
}

struct InitOptions {
    std::string folder;
    bool force = false;
    bool json = false;
};

void makeFolder(const std::string& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder))
        throw UsageError(folder + ": is no folder and cannot be made one: " + error.message());
}

/// A file that is there with other contents is somebody's work.
void requireFree(const std::filesystem::path& path, std::string_view text, bool force)
{
    const bool isOther = std::filesystem::exists(path) && study::readTextFile(path) != text;
    if (isOther && !force)
        throw UsageError(path.string() +
                         ": there is another file of this name, expected none; --force replaces it");
}

void copyFiles(const InitOptions& options)
{
    makeFolder(options.folder);
    const std::filesystem::path folder = options.folder;
    for (const templates::WorkerFile& file : templates::workerFiles())
        requireFree(folder / file.name, file.text, options.force);
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const templates::WorkerFile& file : templates::workerFiles()) {
        writeOutputFile((folder / file.name).string(), file.text);
        files.push_back((folder / file.name).string());
    }
    if (options.json) {
        printJson({{"files", files}});
        return;
    }
    for (const auto& file : files)
        std::cout << file.get<std::string>() << '\n';
    std::cout
        << "\nquadric_worker.py measures a training loop: copy the lines that are marked in train_gpt.py "
           "into your script, and keep quadric_worker.py beside it.\n";
}

} // namespace

void addDerive(CommandLine& line)
{
    auto options = std::make_shared<DeriveOptions>();
    Command& command = line.program.addCommand(
        "derive", "Add responses that are computed from results, settings and what was seen of the machine");
    addStudyOption(command, options->study);
    command
        .option("derivation", options->derivations, Kind::freeText(), "NAME=EXPRESSION",
                "NAME=EXPRESSION with + - * / % and parentheses: \"per_gpu=tokens_per_sec / gpus\"")
        .required();
    command.option("--goal", options->goal, Kind::oneOf({"maximize", "minimize", "none"}), "TEXT",
                   "maximize, minimize or none");
    command.option("--unit", options->unit, Kind::freeText(), "UNIT", "Unit of the new responses");
    command.whenCalled([options] { derive(*options); });
}

void addNew(CommandLine& line)
{
    auto options = std::make_shared<NewOptions>();
    Command& command =
        line.program.addCommand("new", "Create a study, from a template or from factors and responses");
    command.option("study", options->study.path, Kind::studyFile(), "OUT.quadric", "The file to write")
        .required();
    command.flag("--json", options->study.json, "Print the study as JSON");
    const Option fromFile =
        command.option("--template", options->templateName, Kind::suggested(offerTemplates), "NAME",
                       "One of: " + templateNames());
    addStudyOptions(command, *options, fromFile);
    addProgramOptions(command, *options, fromFile);
    command
        .option(
            "--derive", options->derived, Kind::freeText(), "NAME=EXPRESSION",
            "A response that is computed from results, settings and what is seen of the machine "
            "(energy_joules, power_w, gpu_memory_peak_mib, run_seconds): \"per_gpu=tokens_per_sec / gpus\"")
        .excludes(fromFile);
    addDesignOptions(command, options->design);
    command.whenCalled([options] { makeStudy(*options); });
}

void addWorkload(CommandLine& line)
{
    Command& workload = line.program.addCommand("workload", "Prepare your own training job for measurement");
    workload.requireCommand();
    auto options = std::make_shared<InitOptions>();
    Command& init = workload.addCommand(
        "init",
        "Copy quadric_worker.py, which measures a Python training loop, and an example into a folder");
    init.option("folder", options->folder, Kind::folder(), "DIR",
                "The folder of the training script; made where it is not there")
        .required();
    init.flag("--force", options->force, "Replace files of the same names");
    init.flag("--json", options->json, "Print the files as JSON");
    init.whenCalled([options] { copyFiles(*options); });
}

} // namespace quadric::app
