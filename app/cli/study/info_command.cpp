// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/measurement_output.h"
#include "app/cli/output/study_output.h"
#include "core/exchange/export/study_json.h"
#include "core/report/tables/study_tables.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

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

} // namespace

void addInfo(CommandLine& line)
{
    auto option = std::make_shared<StudyOption>();
    CLI::App* command = line.app.add_subcommand("info", "Show a study's contents");
    addStudyOption(*command, *option);
    command->callback([option] {
        const study::Study study = readStudy(option->path);
        if (option->json)
            printJson(exchange::studyJson(study));
        else
            printInfo(study);
    });
}

} // namespace quadric::app
