// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export/formats.h"

#include "core/exchange/export/fit_script.h"
#include "core/exchange/table/columns.h"
#include "core/report/table.h"
#include "core/report/tables/model_tables.h"
#include "core/report/tables/study_tables.h"
#include "core/study/document/document.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

namespace quadric::exchange {

namespace {

using study::OrderedJson;

/// Nominal coded value of a setting: −1, 0 or +1 when rounding to what can be run leads from there to
/// `actual`; else the coded value of `actual` itself.
double nominalCoded(const study::Coding& coding, std::size_t factor, double actual)
{
    for (const double nominal : {-1.0, 0.0, 1.0}) {
        if (study::snapToLegal(coding.factors()[factor], coding.toActual(factor, nominal)) == actual)
            return nominal;
    }
    return coding.toCoded(factor, actual);
}

OrderedJson codedJson(const study::Study& study, const study::Coding& coding, const study::Settings& settings)
{
    OrderedJson coded = OrderedJson::object();
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        const study::Factor& factor = study.factors[i];
        const auto value = settings.find(factor.name);
        if (value == settings.end())
            continue;
        if (const auto* number = std::get_if<double>(&value->second); number && factor.isNumeric())
            coded[factor.name] = nominalCoded(coding, i, *number);
        else
            coded[factor.name] = study::toText(value->second);
    }
    return coded;
}

/// A setting or a result; empty where the run has none.
template <typename Values> std::string valueText(const Values& values, const std::string& name)
{
    const auto value = values.find(name);
    return value == values.end() ? std::string() : study::toText(value->second);
}

/// Why a run has failed or is excluded.
std::string remarkOf(const study::Run& run)
{
    if (run.status == study::RunStatus::Failed && run.failure)
        return toText(*run.failure);
    return run.status == study::RunStatus::Excluded ? run.reason : std::string();
}

std::vector<report::Table> makeTables(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::vector<report::Table> tables = {report::makeRunTable(study)};
    for (const model::Fit& fit : fits) {
        if (!fit.isOk())
            continue;
        for (report::Table table :
             {report::makeFitTable(fit), report::makeCoefficientTable(fit), report::makeAnovaTable(fit)}) {
            table.caption = fit.response + ": " + table.caption;
            tables.push_back(std::move(table));
        }
    }
    return tables;
}

std::string markdownText(const std::string& text)
{
    std::string escaped;
    for (const char c : oneLine(text)) {
        if (std::string_view("\\|*_`<>[]#~$&!").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string latexText(const std::string& text)
{
    std::string escaped;
    for (const char c : oneLine(text)) {
        if (c == '\\')
            escaped += "\\textbackslash{}";
        else if (c == '~' || c == '^')
            escaped += std::string("\\") + c + "{}";
        else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
            escaped += std::string("\\") + c;
        else
            escaped += c;
    }
    return escaped;
}

std::string markdownTable(const report::Table& table)
{
    std::string text = "\n**" + markdownText(table.caption) + "**\n\n|", rule = "|";
    for (const report::Column& column : table.columns) {
        text += " " + markdownText(formatHeading(column)) + " |";
        rule += column.kind == report::ColumnKind::Text ? " --- |" : " ---: |";
    }
    text += "\n" + rule + "\n";
    for (const std::vector<report::Cell>& row : table.rows) {
        text += "|";
        for (const report::Cell& cell : row)
            text += " " + markdownText(formatCell(cell)) + " |";
        text += "\n";
    }
    return table.note.empty() ? text : text + "\n" + markdownText(table.note) + "\n";
}

std::string latexTable(const report::Table& table)
{
    std::string alignment, head, body;
    for (const report::Column& column : table.columns) {
        alignment += column.kind == report::ColumnKind::Text ? 'l' : 'r';
        head += (head.empty() ? "" : " & ") + latexText(formatHeading(column));
    }
    for (const std::vector<report::Cell>& row : table.rows) {
        for (const report::Cell& cell : row)
            body += (&cell == &row.front() ? "" : " & ") + latexText(formatCell(cell));
        body += " \\\\\n";
    }
    const std::string note = table.note.empty() ? "" : "\n\\par " + latexText(table.note);
    return "\n\\begin{table}[htbp]\n\\centering\n\\caption{" + latexText(table.caption) +
           "}\n\\begin{tabular}{" + alignment + "}\n\\toprule\n" + head + " \\\\\n\\midrule\n" + body +
           "\\bottomrule\n\\end{tabular}" + note + "\n\\end{table}\n";
}

constexpr const char* kSimulated = "The results are simulated, not measured.";

using Fits = std::vector<model::Fit>;

constexpr std::array<Format, 7> kFormats = {{
    {"csv", "the runs, separated by commas", false,
     [](const study::Study& study, const Fits&) { return delimitedRuns(study, ','); }},
    {"tsv", "the runs, separated by tabs", false,
     [](const study::Study& study, const Fits&) { return delimitedRuns(study, '\t'); }},
    {"json", "the whole study with coded settings", false,
     [](const study::Study& study, const Fits&) { return studyJson(study).dump(2) + "\n"; }},
    {"R", "a script for R that fits the models again", true, rScript},
    {"py", "a script for Python (statsmodels) that fits the models again", true, pythonScript},
    {"md", "runs and models as tables of Markdown", true, markdownTables},
    {"tex", "runs and models as tables of LaTeX", true, latexTables},
}};

/// Length in bytes of the control character that the text begins with (C0 without tabs and line breaks, DEL,
/// C1, and the marks of UAX #9); 0: with none.
std::size_t measureControl(std::string_view text)
{
    const auto byte = [text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto isWithin = [&byte](std::size_t i, unsigned first, unsigned last) {
        return first <= byte(i) && byte(i) <= last;
    };
    if (byte(0) == 0x7F || (byte(0) < 0x20 && byte(0) != '\t' && byte(0) != '\n' && byte(0) != '\r'))
        return 1;
    if ((byte(0) == 0xC2 && isWithin(1, 0x80, 0x9F)) || (byte(0) == 0xD8 && byte(1) == 0x9C))
        return 2;
    const bool isMark =
        byte(0) == 0xE2 && ((byte(1) == 0x80 && (isWithin(2, 0x8E, 0x8F) || isWithin(2, 0xAA, 0xAE))) ||
                            (byte(1) == 0x81 && isWithin(2, 0xA6, 0xA9)));
    return isMark ? 3 : 0;
}

/// With "\uXXXX", which R and Python read as the same character, in the place of each control
/// character.
std::string escapeControls(std::string_view text, std::string_view backslash)
{
    std::string escaped;
    while (!text.empty()) {
        const std::size_t size = measureControl(text);
        if (size > 0) {
            unsigned point = static_cast<unsigned char>(text[0]) & (size == 1   ? 0x7FU
                                                                    : size == 2 ? 0x1FU
                                                                                : 0x0FU);
            for (std::size_t i = 1; i < size; ++i)
                point = point << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
            std::array<char, 8> digits = {};
            std::snprintf(digits.data(), digits.size(), "u%04x", point);
            escaped += std::string(backslash) + digits.data();
        } else {
            escaped += text[0];
        }
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return escaped;
}

bool isSameWord(std::string_view a, std::string_view b)
{
    return std::ranges::equal(
        a, b, {}, [](unsigned char c) { return std::tolower(c); },
        [](unsigned char c) { return std::tolower(c); });
}

} // namespace

OrderedJson studyJson(const study::Study& study)
{
    OrderedJson json = OrderedJson::parse(study::writeStudy(study));
    const study::Coding coding(study.factors);
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        json["runs"][i]["coded"] = codedJson(study, coding, study.runs[i].settings);
    OrderedJson& runs = json["runs"];
    if (runs.size() == study.runs.size())
        return json;
    // Baselines have settings of their own and no coded ones; nobody shall take them for runs of the design.
    json["baselines"] = OrderedJson(runs.begin() + std::ssize(study.runs), runs.end());
    runs.erase(runs.begin() + std::ssize(study.runs), runs.end());
    return json;
}

TextRows runRows(const study::Study& study)
{
    const bool hasRemarks =
        std::ranges::any_of(study.runs, [](const study::Run& run) { return !remarkOf(run).empty(); });
    TextRows rows = {{"order", "run", "block", "kind", "status"}};
    for (const study::Factor& factor : study.factors)
        rows[0].push_back(makeHeading(factor.name, factor.unit));
    rows[0].push_back("source");
    for (const study::Response& response : study.responses)
        rows[0].push_back(makeHeading(response.name, response.unit));
    if (hasRemarks)
        rows[0].push_back("remark");
    for (const study::Run* run : study::inRunOrder(study)) {
        std::vector<std::string> row = {std::to_string(run->order), std::to_string(run->id),
                                        std::to_string(run->block), std::string(study::nameOf(run->kind)),
                                        std::string(study::nameOf(run->status))};
        for (const study::Factor& factor : study.factors)
            row.push_back(valueText(run->settings, factor.name));
        row.push_back(run->results.empty() ? std::string()
                                           : std::string(study::nameOf(run->provenance.source)));
        for (const study::Response& response : study.responses)
            row.push_back(valueText(run->results, response.name));
        if (hasRemarks)
            row.push_back(remarkOf(*run));
        rows.push_back(std::move(row));
    }
    for (std::vector<std::string>& row : rows)
        for (std::string& cell : row)
            std::erase(cell, '\0'); // no table has one
    return rows;
}

std::string delimitedRuns(const study::Study& study, char separator)
{
    return writeDelimited(runRows(study), separator);
}

std::string markdownTables(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::string text = "# " + markdownText(study.name) + "\n";
    if (study::hasSimulatedResults(study))
        text += "\n" + std::string(kSimulated) + "\n";
    for (const report::Table& table : makeTables(study, fits))
        text += markdownTable(table);
    return text;
}

std::string latexTables(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::string text = "% " + latexText(study.name) + " (needs the package booktabs)\n";
    if (study::hasSimulatedResults(study))
        text += "% " + std::string(kSimulated) + "\n";
    for (report::Table& table : makeTables(study, fits)) {
        if (study::hasSimulatedResults(study))
            table.caption += " (simulated data)";
        text += latexTable(table);
    }
    return text;
}

std::string Format::write(const study::Study& study, const std::vector<model::Fit>& fits) const
{
    const bool isData = name == "csv" || name == "tsv" || name == "json"; // programs get it as it is
    if (isData)
        return compose(study, fits);
    return escapeControls(compose(study, fits), name == "tex"  ? "\\textbackslash{}"
                                                : name == "md" ? "\\\\"
                                                               : "\\");
}

std::span<const Format> formats()
{
    return kFormats;
}

const Format* formatNamed(std::string_view name)
{
    const auto* found = std::ranges::find_if(
        kFormats, [name](const Format& format) { return isSameWord(format.name, name); });
    return found == kFormats.end() ? nullptr : found;
}

} // namespace quadric::exchange
