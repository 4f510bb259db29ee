// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/study_output.h"
#include "app/cli/study/derived_response.h"
#include "core/study/derived.h"
#include "core/study/document/merge.h"
#include "core/study/files/journal.h"
#include "core/study/unknown_names.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <iostream>
#include <memory>

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

void derive(const DeriveOptions& options)
{
    const std::string& path = options.study.path;
    readStudy(path); // says what is wrong with the file before anything is touched
    const study::StudyLock lock(path);
    study::foldJournal(path);
    const study::LoadedStudy loaded = study::loadStudy(path);
    study::Study study = loaded.study;
    std::vector<std::string> names;
    for (const std::string& text : options.derivations) {
        names.push_back(takeDerived("derive", text, study));
        applyWish(options, names.back(), study);
    }
    for (study::Run& run : study.runs)
        run = study::withComputedResults(study, std::move(run));
    if (const auto problems = study::validate(study); !problems.empty() && problems.front().isError)
        throw UsageError("derive: " + problems.front().message);
    study = study::saveMerged(study, loaded, path);
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

} // namespace

std::string takeDerived(const std::string& option, const std::string& text, study::Study& study)
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

void addDerive(CommandLine& line)
{
    auto options = std::make_shared<DeriveOptions>();
    CLI::App* command = line.app.add_subcommand(
        "derive", "Add responses that are computed from results, settings and what was seen of the machine");
    addStudyOption(*command, options->study);
    command
        ->add_option("derivation", options->derivations,
                     "NAME=EXPRESSION with + - * / % and parentheses: \"per_gpu=tokens_per_sec / gpus\"")
        ->required()
        ->type_name("NAME=EXPRESSION");
    command->add_option("--goal", options->goal, "maximize, minimize or none")
        ->check(oneOf({"maximize", "minimize", "none"}));
    command->add_option("--unit", options->unit, "Unit of the new responses")->type_name("UNIT");
    command->callback([options] { derive(*options); });
}

} // namespace quadric::app
