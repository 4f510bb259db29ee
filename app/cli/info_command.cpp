// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/measurement_output.h"
#include "app/cli/study_output.h"
#include "app/cli/text_table.h"
#include "core/exchange/study_json.h"

#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

std::string wordsOf(const std::vector<std::string>& items)
{
    std::string text;
    for (const std::string& item : items)
        text += (text.empty() ? "" : ", ") + item;
    return text;
}

std::string rangeText(const study::Factor& factor)
{
    if (!factor.isNumeric())
        return wordsOf(factor.categories);
    if (factor.type != study::FactorType::Discrete)
        return numberText(factor.low) + " … " + numberText(factor.high);
    std::vector<std::string> levels;
    for (const double level : factor.levels)
        levels.push_back(numberText(level));
    return wordsOf(levels);
}

void printFactors(const study::Study& study)
{
    TextTable table({"factor", "type", "range", "unit", "scale"});
    for (const study::Factor& factor : study.factors) {
        table.addRow({factor.name, std::string(study::nameOf(factor.type)), rangeText(factor), factor.unit,
                      factor.isNumeric() ? std::string(study::nameOf(factor.scale)) : std::string()});
    }
    table.print(std::cout);
}

std::string goalText(const study::Response& response)
{
    std::string text(study::nameOf(response.goal));
    if (response.goal == study::Goal::Target)
        text += " " + numberText(response.target);
    return text;
}

void printResponses(const study::Study& study)
{
    TextTable table({"response", "unit", "goal", "weight", "low", "high", "transform"});
    for (const study::Response& response : study.responses) {
        table.addRow({response.name, response.unit, goalText(response), response.weight,
                      TextTable::cell(response.low), TextTable::cell(response.high),
                      study::nameOf(response.transform)});
    }
    table.print(std::cout);
}

std::string designText(const study::Study& study)
{
    if (study.design.type.empty())
        return "none yet";
    return study.design.type + ", " + std::to_string(study.runs.size()) + " runs (" + countsText(study) + ")";
}

void printInfo(const study::Study& study)
{
    std::cout << study.name << '\n';
    if (!study.description.empty())
        std::cout << study.description << '\n';
    if (study::hasSimulatedResults(study))
        std::cout << "Simulated data: results of this study do not come from hardware.\n";
    std::cout << '\n';
    printFactors(study);
    std::cout << '\n';
    printResponses(study);
    for (const std::string& constraint : study.constraints)
        std::cout << "\nconstraint: " << constraint;
    if (!study.fixed.empty())
        std::cout << "\nfixed:";
    for (const auto& [name, value] : study.fixed)
        std::cout << ' ' << name << '=' << study::toText(value);
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
