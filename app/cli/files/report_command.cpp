// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/output_option.h"
#include "app/cli/files/drawing.h"
#include "app/cli/output/study_output.h"
#include "core/text/find_nearest.h"
#include "core/text/numbers.h"
#include "widgets/report/document/report.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct ReportCommand {
    StudyOption study;
    OutputOption output;
    std::string preset = "full", page = "a4", title, author;
    bool letter = false;
    std::vector<std::string> sections, without;
};

widgets::Section sectionNamed(const std::string& option, const std::string& name)
{
    if (const widgets::SectionInfo* info = widgets::findSection(name))
        return info->section;
    throw UsageError(option + ": " + text::describeUnknown(name, namesOf(widgets::reportSections())));
}

widgets::Extent extentNamed(const std::string& name)
{
    return std::ranges::find(widgets::reportExtents(), name, &widgets::ExtentInfo::name)->extent;
}

/// All sections but those that were asked for, and those that were not wanted.
std::set<widgets::Section> leftOut(const ReportCommand& command)
{
    std::set<widgets::Section> without;
    if (!command.sections.empty())
        for (const widgets::SectionInfo& info : widgets::reportSections())
            without.insert(info.section);
    for (const std::string& name : command.sections)
        without.erase(sectionNamed("--sections", name));
    for (const std::string& name : command.without)
        without.insert(sectionNamed("--without", name));
    return without;
}

std::string sectionNames()
{
    return text::joinWords(namesOf(widgets::reportSections()));
}

void requireFileName(const OutputOption& output)
{
    const std::string ending = std::filesystem::path(output.path).extension().string();
    if (ending != ".pdf" && ending != ".html")
        throw UsageError("-o: \"" + output.path + "\", expected a name that ends in .pdf or .html");
    requireReplaceable("-o", output.path, ending.substr(1), output.force);
}

void writeReportFile(CommandLine& line, const ReportCommand& command)
{
    requireFileName(command.output);
    const widgets::Extent extent = extentNamed(command.preset);
    if (extent == widgets::Extent::Summary && !(command.sections.empty() && command.without.empty()))
        throw UsageError("--preset summary has no sections to choose; expected --preset engineering or full");
    const widgets::ReportOptions options{extent, leftOut(command), command.letter || command.page == "letter",
                                         QString::fromStdString(command.title),
                                         QString::fromStdString(command.author)};
    const Drawing drawing(line);
    const QString problem = widgets::writeReport(contextOf(command.study.path), options,
                                                 QString::fromStdString(command.output.path));
    if (!problem.isEmpty())
        throw WorkError(problem.toStdString());
    if (command.study.json)
        printJson({{"report", command.output.path}});
    else
        std::cout << command.output.path << '\n';
}

} // namespace

void addReport(CommandLine& line)
{
    auto options = std::make_shared<ReportCommand>();
    CLI::App* command = line.app.add_subcommand("report", "Write the report of a study");
    addStudyOption(*command, options->study);
    addOutputOption(*command, options->output, "The file to write: .pdf or .html")->required();
    command
        ->add_option("--preset", options->preset,
                     "How much it says: the answer on two pages, a page per response, or everything")
        ->check(oneOf(namesOf(widgets::reportExtents())))
        ->capture_default_str();
    command->add_option("--page", options->page, "Paper of a PDF")
        ->check(oneOf({"a4", "letter"}))
        ->capture_default_str();
    command->add_flag("--letter", options->letter, "The same as --page letter");
    command->add_option("--sections", options->sections, "Only these sections: " + sectionNames())
        ->delimiter(',')
        ->type_name("NAME");
    command->add_option("--without", options->without, "All sections but these")
        ->delimiter(',')
        ->type_name("NAME");
    command->add_option("--title", options->title, "Instead of the study's name");
    command->add_option("--author", options->author, "Who is named in the document");
    command->callback([&line, options] { writeReportFile(line, *options); });
}

} // namespace quadric::app
