// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/fit_selection.h"
#include "app/cli/study_output.h"
#include "core/exchange/documents.h"
#include "core/exchange/fit_script.h"
#include "core/study/file.h"

#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct ExportOptions {
    StudyOption study;
    std::string output, format;
    FitSelection selection;
};

using Fits = std::vector<model::Fit>;

/// A format by the ending of its files.
struct Format {
    std::string_view name;
    std::string_view what;
    bool needsFits;
    std::string (*write)(const study::Study&, const Fits&);
};

constexpr Format kFormats[] = {
    {"csv", "the runs, separated by commas", false,
     [](const study::Study& study, const Fits&) { return exchange::delimitedRuns(study, ','); }},
    {"tsv", "the runs, separated by tabs", false,
     [](const study::Study& study, const Fits&) { return exchange::delimitedRuns(study, '\t'); }},
    {"json", "the whole study with coded settings", false,
     [](const study::Study& study, const Fits&) { return studyJson(study).dump(2) + "\n"; }},
    {"R", "a script for R that fits the models again", true, exchange::rScript},
    {"py", "a script for Python (statsmodels) that fits the models again", true, exchange::pythonScript},
    {"md", "runs and models as tables of Markdown", true, exchange::markdownTables},
    {"tex", "runs and models as tables of LaTeX", true, exchange::latexTables},
};

std::string formatNames()
{
    std::string names;
    for (const Format& format : kFormats)
        names += (names.empty() ? "" : ", ") + std::string(format.name);
    return names;
}

const Format& formatOf(const ExportOptions& options)
{
    std::string name = options.format;
    if (name.empty()) {
        const std::string extension = std::filesystem::path(options.output).extension().string();
        name = extension.empty() ? extension : extension.substr(1);
    }
    for (const Format& format : kFormats) {
        if (format.name == name || (name == "r" && format.name == "R"))
            return format;
    }
    const std::string option = options.format.empty() ? "-o " + options.output : "--format";
    throw UsageError(option + ": \"" + name + "\", expected one of: " + formatNames());
}

void exportStudy(const ExportOptions& options)
{
    const Format& format = formatOf(options);
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    Fits fits;
    if (format.needsFits) {
        fits = fitsOf(study, options.selection);
        reportUnusable(fits);
    }
    study::replaceFile(options.output, format.write(study, fits));
    if (options.study.json)
        printJson({{"file", options.output}, {"format", format.name}});
    else
        std::cout << options.output << ": " << format.what << '\n';
}

} // namespace

void addExport(CommandLine& line)
{
    auto options = std::make_shared<ExportOptions>();
    CLI::App* command = line.app.add_subcommand("export", "Write runs or models in another format");
    addStudyOption(*command, options->study);
    command
        ->add_option("-o,--output", options->output,
                     "The file to write; its ending says the format: " + formatNames())
        ->required()
        ->type_name("FILE");
    command->add_option("--format", options->format, "The format, whatever the file's ending")
        ->type_name("FORMAT");
    addFitOptions(*command, options->selection);
    command->callback([options] { exportStudy(*options); });
}

} // namespace quadric::app
