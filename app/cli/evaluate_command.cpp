// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output/evaluation_output.h"

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
};

design::EvaluateOptions optionsOf(const EvaluateCommand& command)
{
    design::EvaluateOptions options;
    options.effectSd = readNumber("--effect-sd", command.effectSd);
    if (!(options.effectSd > 0.0))
        throw UsageError("--effect-sd: \"" + command.effectSd + "\", expected a number above 0");
    return options;
}

bool isSound(const design::Evaluation& evaluation)
{
    return std::ranges::all_of(evaluation.checks, &design::Check::ok);
}

int evaluateOne(const EvaluateCommand& command)
{
    const design::Evaluation evaluation =
        design::evaluate(readStudy(command.study.path), command.model, optionsOf(command));
    if (command.study.json)
        printJson(evaluationJson(evaluation));
    else
        printEvaluation(evaluation);
    return isSound(evaluation) ? kDone : kWorkFailed;
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
        printJson({{"first", evaluationJson(first)},
                   {"second", evaluationJson(second)},
                   {"comparison", comparisonJson(rows)}});
    } else {
        const auto [a, b] = titlesOf(command.study.path, command.other);
        printComparison(a, b, rows);
    }
    return isSound(first) && isSound(second) ? kDone : kWorkFailed;
}

} // namespace

void addEvaluate(CommandLine& line)
{
    auto options = std::make_shared<EvaluateCommand>();
    CLI::App* command = line.app.add_subcommand("evaluate", "Evaluate the design before the first run");
    addStudyOption(*command, options->study);
    command->add_option("--model", options->model, "The model to be fitted later")
        ->capture_default_str()
        ->type_name("MODEL");
    command
        ->add_option("--effect-sd", options->effectSd,
                     "Size of the effects to detect, in standard deviations of the noise")
        ->capture_default_str()
        ->type_name("X");
    command->add_option("--compare", options->other, "Compare with this study, side by side")
        ->type_name("STUDY");
    command->callback([&line, options] {
        line.exitStatus = options->other.empty() ? evaluateOne(*options) : compareTwo(*options);
    });
}

} // namespace quadric::app
