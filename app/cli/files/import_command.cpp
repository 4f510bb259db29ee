// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/study_output.h"
#include "core/exchange/export/study_json.h"
#include "core/exchange/import/doehelper.h"
#include "core/exchange/import/recognize.h"
#include "core/study/files/file.h"
#include "core/study/files/study_identity.h"
#include "core/text/find_nearest.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct ImportOptions {
    std::string input, output, results, separator;
    bool json = false, decimalComma = false, decimalPoint = false;
    std::vector<std::string> factors, responses, ignored;
};

using exchange::ColumnMapping;
using exchange::ColumnRole;
using exchange::ImportedStudy;

char separatorFrom(const std::string& text)
{
    if (text.empty())
        return '\0';
    if (text == "tab" || text == "\\t")
        return '\t';
    if (text.size() == 1 && std::string_view(",;|\t").find(text[0]) != std::string_view::npos)
        return text[0];
    throw UsageError("--separator: \"" + text + "\", expected a comma, a semicolon, | or tab");
}

ColumnMapping& columnNamed(std::vector<ColumnMapping>& mapping, const std::string& option,
                           const std::string& name)
{
    const auto found = std::ranges::find_if(
        mapping, [&](const ColumnMapping& column) { return column.header == name || column.name == name; });
    if (found != mapping.end())
        return *found;
    std::vector<std::string> headers;
    for (const ColumnMapping& column : mapping)
        headers.push_back(column.header);
    throw UsageError(option + ": there is no column " + text::describeUnknown(name, headers));
}

/// NAME[:TYPE[:SCALE]]
void mapFactor(std::vector<ColumnMapping>& mapping, const std::string& text)
{
    std::vector<std::string> parts = split(text, ':');
    parts.resize(std::max<std::size_t>(parts.size(), 3));
    ColumnMapping& column = columnNamed(mapping, "--factor", parts[0]);
    const auto type = parts[1].empty() ? std::optional(column.type) : study::factorTypeFrom(parts[1]);
    const auto scale = parts[2].empty() ? std::optional(study::Scale::Linear) : study::scaleFrom(parts[2]);
    if (!type || !scale || parts.size() > 3)
        throw UsageError("--factor \"" + text +
                         "\": expected NAME[:TYPE[:SCALE]] with continuous, integer, discrete or "
                         "categorical and linear or log2");
    column.role = ColumnRole::Factor;
    column.type = *type;
    column.scale = *scale;
}

/// NAME[:GOAL]
void mapResponse(std::vector<ColumnMapping>& mapping, const std::string& text)
{
    std::vector<std::string> parts = split(text, ':');
    parts.resize(std::max<std::size_t>(parts.size(), 2));
    ColumnMapping& column = columnNamed(mapping, "--response", parts[0]);
    const auto goal = parts[1].empty() ? std::optional(study::Goal::None) : study::goalFrom(parts[1]);
    if (!goal || *goal == study::Goal::Target || parts.size() > 2)
        throw UsageError("--response \"" + text + "\": expected NAME[:GOAL] with maximize, minimize or none");
    column.role = ColumnRole::Response;
    column.goal = *goal;
}

ImportedStudy importTable(const ImportOptions& options, const std::string& text)
{
    exchange::Dialect dialect{.separator = separatorFrom(options.separator), .decimalComma = {}};
    if (options.decimalComma || options.decimalPoint)
        dialect.decimalComma = options.decimalComma;
    const exchange::TextGrid grid = exchange::readDelimited(text, options.input, dialect);
    std::vector<ColumnMapping> mapping = exchange::guessMapping(grid);
    for (const std::string& factor : options.factors)
        mapFactor(mapping, factor);
    for (const std::string& response : options.responses)
        mapResponse(mapping, response);
    for (const std::string& name : options.ignored)
        columnNamed(mapping, "--ignore", name).role = ColumnRole::Ignored;
    ImportedStudy imported = exchange::studyOf(grid, mapping, options.input);
    imported.study.name = std::filesystem::path(options.input).stem().string();
    return imported;
}

ImportedStudy importFile(const ImportOptions& options)
{
    const std::string text = study::readTextFile(options.input);
    if (exchange::isDoehelperConfig(text))
        return exchange::importDoehelper(options.input, options.results);
    if (!options.results.empty())
        throw UsageError("--results: " + options.input +
                         " is no configuration of doehelper, expected one with factors and levels");
    if (std::filesystem::path(options.input).extension() == ".json")
        throw exchange::ImportError(options.input +
                                    ": this JSON file is no configuration of doehelper, expected factors "
                                    "with levels and responses");
    return importTable(options, text);
}

std::string recognizedText(const study::Study& study)
{
    return study.runs.empty() ? "no runs" : exchange::recognize(study).sentence;
}

void importStudy(const ImportOptions& options)
{
    if (std::filesystem::exists(options.output))
        throw UsageError(options.output + ": there is a file of this name already, expected a new one");
    ImportedStudy imported = importFile(options);
    exchange::checkImported(imported, options.input);
    imported.study.id = study::makeStudyId();
    study::saveStudy(imported.study, options.output, study::DocumentState{});
    for (const std::string& warning : imported.warnings)
        warn(warning);
    const std::string design = recognizedText(imported.study);
    if (options.json) {
        Json json = exchange::studyJson(imported.study);
        json["recognised"] = design;
        json["import_warnings"] = imported.warnings;
        printJson(json);
        return;
    }
    std::cout << options.output << ": " << design << "\n\n";
    printRuns(imported.study);
}

} // namespace

void addImport(CommandLine& line)
{
    auto options = std::make_shared<ImportOptions>();
    CLI::App* command =
        line.app.add_subcommand("import", "Create a study from a table (CSV, TSV) or from doehelper's files");
    command->add_option("file", options->input, "A table with headings, or a configuration of doehelper")
        ->required()
        ->type_name("FILE");
    command->add_option("-o,--output", options->output, "The study to write")
        ->required()
        ->type_name("OUT.quadric");
    command->add_option("--results", options->results, "Folder with doehelper's result files")
        ->type_name("DIR");
    command
        ->add_option("--factor", options->factors,
                     "A column that is a factor: NAME[:TYPE[:SCALE]]; the others are guessed")
        ->type_name("COLUMN");
    command->add_option("--response", options->responses, "A column that is a response: NAME[:GOAL]")
        ->type_name("COLUMN");
    command->add_option("--ignore", options->ignored, "A column that is left out")->type_name("COLUMN");
    command
        ->add_option("--separator", options->separator, "Comma, semicolon, | or tab; found out if not given")
        ->type_name("CHAR");
    auto* comma = command->add_flag("--decimal-comma", options->decimalComma, "3,5 is three and a half");
    command->add_flag("--decimal-point", options->decimalPoint, "3.5 is three and a half")->excludes(comma);
    command->add_flag("--json", options->json, "Print the study as JSON");
    command->callback([options] { importStudy(*options); });
}

} // namespace quadric::app
