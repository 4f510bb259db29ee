// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/fit_selection.h"
#include "app/cli/output/fit_report.h"
#include "app/cli/output/optimize_output.h"
#include "core/model/select/recommended_models.h"

#include <algorithm>
#include <memory>

namespace quadric::app {

namespace {

struct AnalyzeOptions {
    StudyOption study;
    FitSelection selection;
    FitReportOptions extras;
};

constexpr int kMostFolds = 1'000'000;
constexpr int kLargestSeed = 2'000'000'000;

const model::Recommendation& scalesOf(const study::Study& study, const std::string& response,
                                      const std::vector<model::Recommendation>& scales)
{
    const auto found = std::ranges::find(study.responses, response, &study::Response::name);
    return scales[static_cast<std::size_t>(found - study.responses.begin())];
}

int analyze(const AnalyzeOptions& options)
{
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    const std::vector<model::Fit> fits = fitsOf(study, options.selection);
    const std::vector<model::Recommendation> scales = model::recommendTogether(
        model::fitByDefault(study, options.selection.confidence, options.selection.reduce));
    Json json = {{"responses", Json::array()}};
    for (const model::Fit& fit : fits) {
        if (!fit.isOk())
            continue;
        const FitReport report = reportOf(study, fit, scalesOf(study, fit.response, scales), options.extras);
        if (options.study.json)
            json["responses"].push_back(reportJson(report));
        else
            printReport(report);
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

} // namespace

void addAnalyze(CommandLine& line)
{
    auto options = std::make_shared<AnalyzeOptions>();
    CLI::App* command = line.app.add_subcommand("analyze", "Fit and check the models of the responses");
    addStudyOption(*command, options->study);
    addFitOptions(*command, options->selection);
    command->add_option("--confidence", options->selection.confidence, "Level of the intervals")
        ->capture_default_str()
        ->type_name("LEVEL");
    command
        ->add_option("--kfold", options->extras.folds,
                     "Cross-validate in this many folds; runs with the same settings stay together")
        ->check(wholeNumber(2, kMostFolds))
        ->type_name("K");
    command->add_option("--seed", options->extras.seed, "Seed of the folds")
        ->check(wholeNumber(0, kLargestSeed))
        ->type_name("S");
    command->add_flag("--path", options->extras.paths, "Add ridge analysis and steepest ascent");
    command->callback([&line, options] { line.exitStatus = analyze(*options); });
}

} // namespace quadric::app
