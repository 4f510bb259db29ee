// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/study_output.h"
#include "core/design/design.h"
#include "core/study/journal.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct DesignOptions {
    StudyOption study;
    std::string type, center, replicates, blocks, seed;
    bool inOrder = false;
};

constexpr int kMostPerKind = 10000;

std::string typesText()
{
    std::string text;
    for (const std::string& type : design::designTypes())
        text += (text.empty() ? "" : ", ") + type;
    return text;
}

std::uint64_t readSeed(const std::string& text)
{
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc() || end != text.data() + text.size())
        throw UsageError("--seed: \"" + text + "\", expected a whole number, 0 or more");
    return seed;
}

void apply(const DesignOptions& options, study::DesignSpec& spec)
{
    const auto types = design::designTypes();
    if (std::ranges::find(types, options.type) == types.end())
        throw UsageError("--type: \"" + options.type + "\", expected one of: " + typesText());
    spec.type = options.type;
    if (!options.center.empty())
        spec.centerRuns = readInteger("--center", options.center, 0, kMostPerKind);
    if (!options.replicates.empty())
        spec.replicates = readInteger("--replicates", options.replicates, 1, kMostPerKind);
    if (!options.blocks.empty())
        spec.blocks = readInteger("--blocks", options.blocks, 1, kMostPerKind);
    if (!options.seed.empty())
        spec.seed = readSeed(options.seed);
    spec.randomize = !options.inOrder;
}

void layOut(const DesignOptions& options)
{
    const std::string& path = options.study.path;
    study::Study study = readStudy(path); // says what is wrong with the file before anything is touched
    const study::StudyLock lock(path);
    study::foldJournal(path);
    study = study::loadStudy(path).study;
    for (study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Running)
            run.status = study::RunStatus::Pending; // of a runner that died
    }
    apply(options, study.design);
    study = design::layOut(std::move(study));
    study::saveStudy(study, path);
    if (options.study.json) {
        printJson(studyJson(study));
        return;
    }
    std::cout << path << ": " << study.design.type << ", " << study.runs.size() << " runs\n\n";
    printRuns(study);
}

} // namespace

void addDesign(CommandLine& line)
{
    auto options = std::make_shared<DesignOptions>();
    CLI::App* command = line.app.add_subcommand("design", "Lay out the runs and write them into the study");
    addStudyOption(*command, options->study);
    command->add_option("--type", options->type, "One of: " + typesText())->required()->type_name("TYPE");
    command->add_option("--center", options->center, "Centre runs")->type_name("N");
    command->add_option("--replicates", options->replicates, "How often each run is made")->type_name("R");
    command->add_option("--blocks", options->blocks, "Blocks")->type_name("B");
    command->add_option("--seed", options->seed, "Seed of the run order")->type_name("S");
    command->add_flag("--no-randomize", options->inOrder, "Run in standard order");
    command->callback([options] { layOut(*options); });
}

} // namespace quadric::app
