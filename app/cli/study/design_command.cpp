// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/evaluation_output.h"
#include "app/cli/output/study_output.h"
#include "app/cli/study/typed_design.h"
#include "core/design/base/largest_model.h"
#include "core/design/generate/augment.h"
#include "core/exchange/export/study_json.h"
#include "core/study/document/merge.h"
#include "core/study/files/journal.h"
#include "core/study/run_records.h"
#include "core/text/find_nearest.h"
#include "core/text/numbers.h"

#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct DesignCommandOptions {
    StudyOption study;
    DesignOptions design;
    std::string augment;
};

std::string augmentationsText()
{
    return text::joinWords(design::augmentations());
}

study::Study augmented(const DesignCommandOptions& options, study::Study study)
{
    const auto augmentation = design::augmentationFrom(options.augment);
    if (!augmentation)
        throw UsageError("--augment: " + text::describeUnknown(options.augment, design::augmentations()));
    design::AugmentOptions augment{.alpha = options.design.alpha, .model = options.design.model};
    augment.runs = options.design.runs.value_or(augment.runs);
    return design::augmented(std::move(study), *augmentation, augment);
}

study::Study laidOut(const DesignCommandOptions& options, study::Study study)
{
    if (const std::string reason = applyDesignOptions(options.design, study); !reason.empty())
        std::cerr << "quadric: " << reason << '\n';
    return laidOutByCommand(std::move(study));
}

/// The study with its journal folded in, and no run of a runner that died.
study::LoadedStudy readIdleStudy(const std::string& path)
{
    study::foldJournal(path);
    study::LoadedStudy loaded = study::loadStudy(path);
    study::settleRunning(loaded.study);
    return loaded;
}

void print(const DesignCommandOptions& options, const study::Study& study, std::size_t runsBefore)
{
    const auto legal = design::legalReport(study, design::largestModel(study));
    if (options.study.json) {
        Json json = exchange::studyJson(study);
        json["legal"] = legalJson(legal);
        printJson(json);
        return;
    }
    std::cout << options.study.path << ": " << study.design.type << ", " << study.runs.size() << " runs";
    if (!options.augment.empty())
        std::cout << ", " << study.runs.size() - runsBefore << " of them new";
    std::cout << "\n\n";
    printRuns(study);
    printLegal(legal);
}

void design(const DesignCommandOptions& options)
{
    if (options.design.type.empty() == options.augment.empty())
        throw UsageError("design: expected either --type or --augment");
    const std::string& path = options.study.path;
    readStudy(path); // says what is wrong with the file before anything is touched
    const study::StudyLock lock(path);
    const study::LoadedStudy loaded = readIdleStudy(path);
    const study::Study changed =
        options.augment.empty() ? laidOut(options, loaded.study) : augmented(options, loaded.study);
    print(options, study::saveMerged(changed, loaded, path), loaded.study.runs.size());
}

} // namespace

void addDesign(CommandLine& line)
{
    auto options = std::make_shared<DesignCommandOptions>();
    CLI::App* command = line.app.add_subcommand("design", "Create the runs of a study, or add runs to it");
    addStudyOption(*command, options->study);
    addDesignOptions(*command, options->design);
    command
        ->add_option("--augment", options->augment,
                     "Keep all runs and add more, one of: " + augmentationsText() +
                         "; --runs says how many center or optimal runs")
        ->type_name("HOW");
    command->callback([options] { design(*options); });
}

} // namespace quadric::app
