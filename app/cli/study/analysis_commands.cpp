// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/fit_selection.h"
#include "app/cli/output/fit_report.h"
#include "app/cli/output/optimize_output.h"
#include "app/cli/output/study_output.h"
#include "core/exchange/export/formats.h"
#include "core/model/select/model_choice.h"
#include "core/plan/words/comparison_tables.h"
#include "core/report/tables/study_tables.h"
#include "core/study/files/journal.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

std::string designText(const study::Study& study)
{
    if (study.design.type.empty())
        return "none yet";
    return study.design.type + ", " + text::formatCount(study.runs.size(), "run") + " (" + countsText(study) +
           ")";
}

void printInfo(const study::Study& study)
{
    std::cout << text::makeVisible(study.name) << '\n';
    if (!study.description.empty())
        std::cout << study.description << '\n';
    if (study::hasSimulatedResults(study))
        std::cout << "Simulated data: results of this study do not come from hardware.\n";
    printTable(report::makeFactorTable(study));
    printTable(report::makeResponseTable(study));
    for (const std::string& constraint : study.constraints)
        std::cout << "\nconstraint: " << text::makeVisible(constraint);
    if (!study.fixed.empty())
        std::cout << "\nfixed:";
    for (const auto& [name, value] : study.fixed)
        std::cout << ' ' << text::makeVisible(name + '=' + study::toText(value));
    std::cout << "\nworkload: " << study.benchmark.workload << "\ndesign: " << designText(study) << "\n\n";
    if (study.runs.empty())
        return;
    printRuns(study);
    std::cout << "\nHow well it is measured:\n";
    printMeasurement(study);
}

struct AnalyzeOptions {
    StudyOption study;
    FitSelection selection;
    HandChoice choice;
    FitReportOptions extras;
};

constexpr int kMostFolds = 1'000'000;
constexpr int kLargestSeed = 2'000'000'000;

int analyze(const AnalyzeOptions& options)
{
    const study::Study chosen = readAnalyzedStudy(options.study.path, options.selection);
    const study::Study study = withHandChoice(chosen, options.choice, options.selection);
    const std::vector<model::Fit> fits = fitsOf(study, options.selection); // refuses what is no model
    if (options.choice.keeps)
        study::editStudy(options.study.path,
                         [&](study::Study known) { return model::withModelsOf(std::move(known), study); });
    Json json = {{"responses", Json::array()}};
    for (const model::Fit& fit : fits) {
        if (!fit.isOk())
            continue;
        const FitReport report = reportOf(study, fit, options.extras);
        if (options.study.json)
            json["responses"].push_back(reportJson(report));
        else
            printReport(report, options.extras);
    }
    const std::vector<optimize::Confirmation> confirmations = optimize::confirmationVerdicts(study, fits);
    if (options.study.json) {
        if (!confirmations.empty())
            json["confirmation"] = confirmationJson(confirmations);
        printJson(json);
    } else {
        printConfirmations(study, confirmations);
    }
    reportUnusable(fits);
    return std::ranges::all_of(fits, &model::Fit::isOk) ? kDone : kWorkFailed;
}

struct CompareOptions {
    StudyOption first;
    std::string second;
    double confidence = 0.95;
};

Json differenceJson(const plan::ResponseDifference& each)
{
    return {{"response", each.response},
            {"verdict", plan::describeDifference(each)},
            {"kind", each.isRatio ? "ratio" : "difference"},
            {"estimate", each.settings > 0 ? Json(each.estimate) : Json()},
            {"interval", intervalJson(each.interval)},
            {"p", jsonOf(each.p)},
            {"adjusted_p", jsonOf(each.adjustedP)},
            {"settings", each.settings},
            {"runs", {each.firstRuns, each.secondRuns}},
            {"range", each.settings > 0 ? Json{each.smallest, each.largest} : Json()},
            {"message", each.message}};
}

Json changeJson(const plan::ChangedFact& fact)
{
    return {{"name", fact.name}, {"first", fact.first}, {"second", fact.second}};
}

Json studyComparisonJson(const plan::StudyComparison& comparison)
{
    return {{"first", comparison.first},
            {"second", comparison.second},
            {"confidence", comparison.confidence},
            {"responses", listOf(comparison.responses, differenceJson)},
            {"settings", listOf(comparison.settings, changeJson)},
            {"provenance", listOf(comparison.provenance, changeJson)},
            {"cautions", comparison.cautions}};
}

void printStudyComparison(const plan::StudyComparison& comparison)
{
    for (const plan::ResponseDifference& each : comparison.responses)
        std::cout << text::makeVisible(plan::describeResponse(each, comparison.confidence)) << '\n';
    std::cout << '\n';
    printTable(plan::makeDifferenceTable(comparison));
    printTable(plan::makeChangeTable(comparison));
    for (const std::string& caution : comparison.cautions)
        std::cout << caution << '\n';
}

/// What differs is an answer, not a failure; studies without a common setting cannot be compared.
void compare(const CompareOptions& options)
{
    if (!(options.confidence > 0.0 && options.confidence < 1.0))
        throw UsageError("--confidence is " + study::toText(options.confidence) +
                         ", expected a number between 0 and 1");
    const plan::StudyComparison comparison =
        plan::compareStudies(readStudy(options.first.path), readStudy(options.second), options.confidence);
    if (!comparison.message.empty())
        throw UsageError(options.first.path + " and " + options.second + ": " + comparison.message);
    options.first.json ? printJson(studyComparisonJson(comparison)) : printStudyComparison(comparison);
}

} // namespace

void addInfo(CommandLine& line)
{
    auto option = std::make_shared<StudyOption>();
    Command& command = line.program.addCommand("info", "Show a study's contents");
    addStudyOption(command, *option);
    command.whenCalled([option] {
        const study::Study study = readStudy(option->path);
        if (option->json)
            printJson(exchange::studyJson(study));
        else
            printInfo(study);
    });
}

void addAnalyze(CommandLine& line)
{
    auto options = std::make_shared<AnalyzeOptions>();
    Command& command = line.program.addCommand("analyze", "Fit and check the models of the responses");
    addStudyOption(command, options->study);
    addFitOptions(command, options->selection);
    addHandChoiceOptions(command, options->choice);
    command
        .option("--confidence", options->selection.confidence, Kind::number(), "LEVEL",
                "Level of the intervals")
        .showDefault();
    command.option("--kfold", options->extras.folds, Kind::wholeNumber(2, kMostFolds), "K",
                   "Cross-validate in this many folds; runs with the same settings stay together");
    command.option("--seed", options->extras.seed, Kind::wholeNumber(0, kLargestSeed), "S",
                   "Seed of the folds");
    command.flag("--full", options->extras.isFull, "Print every table and every check");
    command.flag("--path", options->extras.paths,
                 "Add the stationary point, ridge analysis and steepest ascent");
    command.whenCalled([&line, options] { line.exitStatus = analyze(*options); });
}

void addCompare(CommandLine& line)
{
    auto options = std::make_shared<CompareOptions>();
    Command& command = line.program.addCommand(
        "compare", "Compare two studies at the settings that both have measured: faster, slower, or no "
                   "difference shown, and what changed on the machine");
    addStudyOption(command, options->first);
    command
        .option("second", options->second, Kind::studyFile(), "STUDY",
                "The study that is held against the first")
        .required();
    command
        .option("--confidence", options->confidence, Kind::number(), "SHARE",
                "Of intervals, and of all verdicts together")
        .showDefault();
    command.whenCalled([options] { compare(*options); });
}

} // namespace quadric::app
