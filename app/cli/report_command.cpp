// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/study_output.h"
#include "core/model/fit.h"
#include "core/study/journal.h"
#include "widgets/report/report.h"

#include <QApplication>

#include <clocale>
#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct ReportCommand {
    StudyOption study;
    std::string output;
    bool letter = false;
};

void writeReportFile(CommandLine& line, const ReportCommand& command)
{
    if (std::filesystem::path(command.output).extension() != ".pdf")
        throw UsageError("-o: \"" + command.output + "\", expected a name that ends in .pdf");
    widgets::StudyContext context;
    context.study = readStudy(command.study.path);
    context.fits = model::fitStudy(context.study);
    context.path = command.study.path;
    context.isRunning = study::lockOwner(command.study.path).has_value();
    // Nothing is shown: the report needs fonts, but no display.
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(line.argc, line.argv);
    std::setlocale(LC_NUMERIC, "C");
    widgets::ReportOptions options;
    options.letterPaper = command.letter;
    const QString problem = widgets::writeReport(context, options, QString::fromStdString(command.output));
    if (!problem.isEmpty())
        throw WorkError(problem.toStdString());
    if (command.study.json)
        printJson({{"report", command.output}});
    else
        std::cout << command.output << '\n';
}

} // namespace

void addReport(CommandLine& line)
{
    auto options = std::make_shared<ReportCommand>();
    CLI::App* command = line.app.add_subcommand("report", "Write the report of a study");
    addStudyOption(*command, options->study);
    command->add_option("-o,--output", options->output, "The file to write")
        ->required()
        ->type_name("FILE.pdf");
    command->add_flag("--letter", options->letter, "Letter paper instead of A4");
    command->callback([&line, options] { writeReportFile(line, *options); });
}

} // namespace quadric::app
