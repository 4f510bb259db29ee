// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/fit_selection.h"
#include "app/cli/base/output_option.h"
#include "app/cli/output/study_output.h"
#include "app/shell/visible_output.h"
#include "core/exchange/export/formats.h"
#include "core/text/find_nearest.h"
#include "core/text/numbers.h"

#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct ExportOptions {
    StudyOption study;
    OutputOption output;
    std::string format;
    FitSelection selection;
};

using exchange::Format;

std::string formatNames()
{
    return text::joinWords(exchange::formats(), ", ", &Format::name);
}

const Format& formatOf(const ExportOptions& options)
{
    std::string name = options.format;
    if (name.empty()) {
        const std::string extension = std::filesystem::path(options.output.path).extension().string();
        name = extension.empty() ? extension : extension.substr(1);
    }
    if (const Format* format = exchange::formatNamed(name))
        return *format;
    const std::string option = options.format.empty() ? "-o " + options.output.path : "--format";
    throw UsageError(option + ": " + text::describeUnknown(name, namesOf(exchange::formats())));
}

void writeExport(const ExportOptions& options, const Format& format, const std::string& text)
{
    const std::string& path = options.output.path;
    if (isStandardOutput(path))
        return format.name == "json" ? printJsonText(text) : printData(text);
    writeOutputFile(path, text);
    if (options.study.json)
        printJson({{"file", path}, {"format", format.name}});
    else
        std::cout << path << ": " << format.what << '\n';
}

void exportStudy(const ExportOptions& options)
{
    const Format& format = formatOf(options);
    if (!isStandardOutput(options.output.path))
        requireReplaceable("-o", options.output.path, format.name, options.output.force);
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    std::vector<model::Fit> fits;
    if (format.needsFits) {
        fits = fitsOf(study, options.selection);
        reportUnusable(fits);
    }
    writeExport(options, format, format.write(study, fits));
}

} // namespace

void addExport(CommandLine& line)
{
    auto options = std::make_shared<ExportOptions>();
    CLI::App* command = line.app.add_subcommand("export", "Write runs or models in another format");
    addStudyOption(*command, options->study);
    addOutputOption(*command, options->output,
                    "The file to write, - for standard output; its ending says the format: " + formatNames())
        ->required();
    command->add_option("--format", options->format, "The format, whatever the file's ending")
        ->type_name("FORMAT");
    addFitOptions(*command, options->selection);
    command->callback([options] { exportStudy(*options); });
}

} // namespace quadric::app
