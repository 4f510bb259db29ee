// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/evaluation_output.h"
#include "core/design/evaluate/relative_efficiency.h"
#include "core/design/evaluate/remarks.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct EvaluateCommand {
    StudyOption study;
    std::string model = "quadratic";
    std::string effectSd = "2";
    std::string other;
    bool isModelAsked = false;
    bool isRelative = false;
};

design::EvaluateOptions optionsOf(const EvaluateCommand& command)
{
    design::EvaluateOptions options;
    options.effectSd = readNumber("--effect-sd", command.effectSd);
    if (!(options.effectSd > 0.0))
        throw UsageError("--effect-sd: \"" + command.effectSd + "\", expected a number above 0");
    return options;
}

bool isSound(const design::Evaluation& evaluation, const EvaluateCommand& command)
{
    return std::ranges::all_of(evaluation.checks, [&](const design::Check& check) {
        return check.ok || design::isRemark(check, command.isModelAsked);
    });
}

int evaluateOne(const EvaluateCommand& command)
{
    const study::Study study = readStudy(command.study.path);
    const design::Evaluation evaluation = design::evaluate(study, command.model, optionsOf(command));
    const std::optional<double> relative =
        command.isRelative ? design::computeRelativeDEfficiency(study, command.model) : std::nullopt;
    if (command.study.json) {
        Json json = evaluationJson(evaluation, command.isModelAsked);
        if (command.isRelative)
            json["d_efficiency_relative"] = jsonOf(relative);
        printJson(json);
    } else {
        printEvaluation(evaluation, command.isModelAsked);
        if (relative)
            std::cout << "D-efficiency relative to the best design of this size that a search finds: "
                      << text::formatPercent(*relative / 100.0) << '\n';
    }
    return isSound(evaluation, command) ? kDone : kWorkFailed;
}

/// "A" and "B" of /x/A.quadric and /y/B.quadric; the paths where the names are equal.
std::pair<std::string, std::string> titlesOf(const std::string& first, const std::string& second)
{
    const std::string a = std::filesystem::path(first).stem().string();
    const std::string b = std::filesystem::path(second).stem().string();
    return a == b ? std::pair(first, second) : std::pair(a, b);
}

int compareTwo(const EvaluateCommand& command)
{
    const design::EvaluateOptions options = optionsOf(command);
    const design::Evaluation first = design::evaluate(readStudy(command.study.path), command.model, options);
    const design::Evaluation second = design::evaluate(readStudy(command.other), command.model, options);
    const std::vector<design::ComparisonRow> rows = design::compare({&first, &second});
    if (command.study.json) {
        printJson({{"first", evaluationJson(first, command.isModelAsked)},
                   {"second", evaluationJson(second, command.isModelAsked)},
                   {"comparison", comparisonJson(rows)}});
    } else {
        const auto [a, b] = titlesOf(command.study.path, command.other);
        printComparison(a, b, rows);
    }
    return isSound(first, command) && isSound(second, command) ? kDone : kWorkFailed;
}

} // namespace

void addEvaluate(CommandLine& line)
{
    auto options = std::make_shared<EvaluateCommand>();
    CLI::App* command = line.app.add_subcommand("evaluate", "Evaluate the design before the first run");
    addStudyOption(*command, options->study);
    CLI::Option* model = command->add_option("--model", options->model, "The model to be fitted later")
                             ->capture_default_str()
                             ->type_name("MODEL");
    command
        ->add_option("--effect-sd", options->effectSd,
                     "Size of the effects to detect, in standard deviations of the noise")
        ->capture_default_str()
        ->type_name("X");
    command->add_flag("--relative", options->isRelative,
                      "Compare with the best design of this size (searches for it)");
    command->add_option("--compare", options->other, "Compare with this study, side by side")
        ->type_name("STUDY");
    command->callback([&line, options, model] {
        options->isModelAsked = model->count() > 0;
        line.exitStatus = options->other.empty() ? evaluateOne(*options) : compareTwo(*options);
    });
}

} // namespace quadric::app
