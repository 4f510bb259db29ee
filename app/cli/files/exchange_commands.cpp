// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/fit_selection.h"
#include "app/cli/base/output_option.h"
#include "app/cli/output/study_output.h"
#include "app/shell/visible_output.h"
#include "core/exchange/export/formats.h"
#include "core/exchange/import/audit.h"
#include "core/exchange/import/doehelper.h"
#include "core/exchange/import/recognize.h"
#include "core/report/findings/data_findings.h"
#include "core/study/files/document_state.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct AuditOptions {
    StudyOption study;
    std::string claims;
};

using exchange::AuditItem;
using exchange::Verdict;

/// The file that was asked for, or the one beside the study, if there is one.
exchange::Claims readClaims(const AuditOptions& options)
{
    if (!options.claims.empty())
        return exchange::parseClaims(study::readTextFile(options.claims), options.claims);
    return exchange::readClaimsIfThere(exchange::claimsBeside(options.study.path))
        .value_or(exchange::Claims{});
}

Json auditJson(const exchange::Claims& claims, const std::vector<AuditItem>& items,
               const std::vector<report::Finding>& findings)
{
    Json json = {{"source", claims.source}, {"claims", Json::array()}, {"findings", sentencesJson(findings)}};
    for (const AuditItem& item : items)
        json["claims"].push_back(
            {{"verdict", exchange::nameOf(item.verdict)}, {"claim", item.claim}, {"data", item.data}});
    return json;
}

void printAudit(const exchange::Claims& claims, const std::vector<AuditItem>& items,
                const std::vector<report::Finding>& findings)
{
    if (!claims.source.empty())
        std::cout << "Claims of " << claims.source << "\n\n";
    for (const AuditItem& item : items) {
        constexpr std::string_view marks[] = {"agrees       ", "DIFFERS      ", "cannot tell  "};
        std::cout << marks[static_cast<std::size_t>(item.verdict)] << item.claim << "\n             "
                  << item.data << '\n';
    }
    if (!findings.empty())
        std::cout << (items.empty() ? "" : "\n") << "The data themselves:\n";
    for (const report::Finding& finding : findings)
        std::cout << "- " << finding.sentence << '\n';
    if (items.empty() && findings.empty())
        std::cout << "Nothing suspicious was found.\n";
}

int runAudit(const AuditOptions& options)
{
    const study::Study study = readStudy(options.study.path);
    const exchange::Claims claims = readClaims(options);
    const std::vector<AuditItem> items = exchange::audit(study, claims);
    const std::vector<report::Finding> findings = report::findInData(study);
    if (options.study.json)
        printJson(auditJson(claims, items, findings));
    else
        printAudit(claims, items, findings);
    const bool differs =
        std::ranges::any_of(items, [](const AuditItem& item) { return item.verdict == Verdict::Differs; });
    return differs ? kWorkFailed : kDone;
}

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

Completion offerFormats()
{
    return candidatesOf(exchange::formats(), [](const Format& format) {
        return Candidate{std::string(format.name), std::string(format.what)};
    });
}

const Format& requireExportFormat(const ExportOptions& options)
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
    const Format& format = requireExportFormat(options);
    if (!isStandardOutput(options.output.path))
        requireReplaceable("-o", options.output.path, format.name, options.output.force);
    study::Study study = readStudy(options.study.path);
    std::vector<model::Fit> fits;
    if (format.needsFits) {
        study = withSelection(study, options.selection);
        fits = fitsOf(study, options.selection);
        reportUnusable(fits);
    }
    writeExport(options, format, format.write(study, fits));
}

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
    headers.reserve(mapping.size());
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
    study::saveNewStudy(imported.study, options.output);
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

void addAudit(CommandLine& line)
{
    auto options = std::make_shared<AuditOptions>();
    Command& command = line.program.addCommand("audit", "Check published claims against the data");
    addStudyOption(command, options->study);
    command.option(
        "--claims", options->claims, Kind::file(), "FILE",
        "JSON file with claimed fits, settings and scaling (docs/exchange.md); STUDY-claims.json if not "
        "given");
    command.whenCalled([&line, options] { line.exitStatus = runAudit(*options); });
}

void addExport(CommandLine& line)
{
    auto options = std::make_shared<ExportOptions>();
    Command& command = line.program.addCommand("export", "Write runs or models in another format");
    addStudyOption(command, options->study);
    addOutputOption(command, options->output,
                    "The file to write, - for standard output; its ending says the format: " + formatNames())
        .required();
    command.option("--format", options->format, Kind::suggested(offerFormats), "FORMAT",
                   "The format, whatever the file's ending");
    addFitOptions(command, options->selection);
    command.whenCalled([options] { exportStudy(*options); });
}

void addImport(CommandLine& line)
{
    auto options = std::make_shared<ImportOptions>();
    Command& command =
        line.program.addCommand("import", "Create a study from a table (CSV, TSV) or from doehelper's files");
    command
        .option("file", options->input, Kind::file(), "FILE",
                "A table with headings, or a configuration of doehelper")
        .required();
    command.option("-o,--output", options->output, Kind::file(), "OUT.quadric", "The study to write")
        .required();
    command.option("--results", options->results, Kind::folder(), "DIR",
                   "Folder with doehelper's result files");
    command.option("--factor", options->factors, Kind::freeText(), "COLUMN",
                   "A column that is a factor: NAME[:TYPE[:SCALE]]; the others are guessed");
    command.option("--response", options->responses, Kind::freeText(), "COLUMN",
                   "A column that is a response: NAME[:GOAL]");
    command.option("--ignore", options->ignored, Kind::freeText(), "COLUMN", "A column that is left out");
    command.option("--separator", options->separator, Kind::suggested({"tab"}), "CHAR",
                   "Comma, semicolon, | or tab; found out if not given");
    const Option comma = command.flag("--decimal-comma", options->decimalComma, "3,5 is three and a half");
    command.flag("--decimal-point", options->decimalPoint, "3.5 is three and a half").excludes(comma);
    command.flag("--json", options->json, "Print the study as JSON");
    command.whenCalled([options] { importStudy(*options); });
}

} // namespace quadric::app
