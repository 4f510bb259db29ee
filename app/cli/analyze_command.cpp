// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/fit_output.h"
#include "app/cli/fit_selection.h"

#include <algorithm>
#include <memory>

namespace quadric::app {

namespace {

struct AnalyzeOptions {
    StudyOption study;
    FitSelection selection;
};

int analyze(const AnalyzeOptions& options)
{
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    const std::vector<model::Fit> fits = fitsOf(study, options.selection);
    Json json = {{"responses", Json::array()}};
    for (const model::Fit& fit : fits) {
        if (!fit.isOk())
            continue;
        if (options.study.json)
            json["responses"].push_back(fitJson(fit));
        else
            printFit(fit);
    }
    if (options.study.json)
        printJson(json);
    reportUnusable(fits);
    return std::ranges::all_of(fits, &model::Fit::isOk) ? kDone : kWorkFailed;
}

} // namespace

void addAnalyze(CommandLine& line)
{
    auto options = std::make_shared<AnalyzeOptions>();
    CLI::App* command = line.app.add_subcommand("analyze", "Fit and judge the models of the responses");
    addStudyOption(*command, options->study);
    addFitOptions(*command, options->selection);
    command->add_option("--confidence", options->selection.confidence, "Level of the intervals")
        ->capture_default_str()
        ->type_name("LEVEL");
    command->callback([&line, options] { line.exitStatus = analyze(*options); });
}

} // namespace quadric::app
