// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/documents.h"

#include "core/exchange/delimited.h"
#include "core/exchange/plain_text.h"

namespace quadric::exchange {

namespace {

std::string numberIfAny(const std::optional<double>& value)
{
    return value ? shortNumber(*value) : std::string();
}

std::string resultText(const study::Run& run, const std::string& response)
{
    const auto value = run.results.find(response);
    return value == run.results.end() ? std::string() : study::toText(value->second);
}

std::string settingText(const study::Run& run, const std::string& factor)
{
    const auto value = run.settings.find(factor);
    return value == run.settings.end() ? std::string() : study::toText(value->second);
}

std::string unitText(const std::string& unit)
{
    return unit.empty() ? std::string() : " (" + unit + ")";
}

/// A caption and a table below it; first row the headings, the first `texts` columns are texts.
struct Table {
    std::string caption;
    TextRows rows;
    std::size_t texts = 1;
};

Table runTable(const study::Study& study)
{
    Table table{
        .caption = "Runs in the order in which they are executed", .rows = {{"Order", "Run"}}, .texts = 0};
    for (const study::Factor& factor : study.factors)
        table.rows[0].push_back(factor.name + unitText(factor.unit));
    for (const study::Response& response : study.responses)
        table.rows[0].push_back(response.name + unitText(response.unit));
    for (const study::Run* run : study::inRunOrder(study)) {
        std::vector<std::string> row = {std::to_string(run->order), std::to_string(run->id)};
        for (const study::Factor& factor : study.factors)
            row.push_back(settingText(*run, factor.name));
        for (const study::Response& response : study.responses)
            row.push_back(resultText(*run, response.name));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table meritTable(const model::Fit& fit)
{
    const std::string transform = study::nameOf(fit.transform);
    return {.caption = fit.response + ": the model",
            .rows = {{"Figure", "Value"},
                     {"Model", fit.model},
                     {"Transform", transform},
                     {"Runs", std::to_string(fit.n)},
                     {"Residual degrees of freedom", std::to_string(fit.dfResidual)},
                     {"Residual standard deviation", numberIfAny(fit.sigma)},
                     {"R²", numberIfAny(fit.r2)},
                     {"R² adjusted", numberIfAny(fit.r2Adjusted)},
                     {"R² predicted", numberIfAny(fit.r2Predicted)}},
            .texts = 1};
}

Table coefficientTable(const model::Fit& fit)
{
    Table table{.caption = fit.response + ": coefficients, coded units",
                .rows = {{"Term", "Estimate", "SE", "t", "p", "Low", "High"}},
                .texts = 1};
    for (const model::Coefficient& row : fit.coefficients)
        table.rows.push_back({row.term, numberIfAny(row.estimate), numberIfAny(row.se), numberIfAny(row.t),
                              numberIfAny(row.p), numberIfAny(row.low), numberIfAny(row.high)});
    return table;
}

Table anovaTable(const model::Fit& fit)
{
    Table table{.caption = fit.response + ": analysis of variance, sequential groups",
                .rows = {{"Source", "df", "SS", "MS", "F", "p"}},
                .texts = 1};
    for (const model::AnovaRow& row : fit.anova)
        table.rows.push_back({row.source, std::to_string(row.df), numberIfAny(row.ss), numberIfAny(row.ms),
                              numberIfAny(row.f), numberIfAny(row.p)});
    return table;
}

std::vector<Table> tablesOf(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::vector<Table> tables = {runTable(study)};
    for (const model::Fit& fit : fits) {
        if (fit.isOk())
            tables.insert(tables.end(), {meritTable(fit), coefficientTable(fit), anovaTable(fit)});
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

std::string markdownTable(const Table& table)
{
    std::string text = "\n**" + markdownText(table.caption) + "**\n\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        text += "|";
        for (const std::string& cell : table.rows[i])
            text += " " + markdownText(cell) + " |";
        text += "\n";
        if (i > 0)
            continue;
        for (std::size_t j = 0; j < table.rows[0].size(); ++j)
            text += std::string(j == 0 ? "|" : "") + (j < table.texts ? " --- |" : " ---: |");
        text += "\n";
    }
    return text;
}

std::string latexTable(const Table& table)
{
    std::string text = "\n\\begin{table}[htbp]\n\\centering\n\\caption{" + latexText(table.caption) +
                       "}\n\\begin{tabular}{" + std::string(table.texts, 'l') +
                       std::string(table.rows[0].size() - table.texts, 'r') + "}\n\\toprule\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        for (std::size_t j = 0; j < table.rows[i].size(); ++j)
            text += (j > 0 ? " & " : "") + latexText(table.rows[i][j]);
        text += i == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

constexpr const char* kSimulated = "The results are simulated, not measured.";

} // namespace

TextRows runRows(const study::Study& study)
{
    TextRows rows = {{"order", "run", "block", "kind", "status"}};
    for (const study::Factor& factor : study.factors)
        rows[0].push_back(factor.name);
    for (const study::Response& response : study.responses)
        rows[0].push_back(response.name);
    rows[0].push_back("source");
    for (const study::Run* run : study::inRunOrder(study)) {
        std::vector<std::string> row = {std::to_string(run->order), std::to_string(run->id),
                                        std::to_string(run->block), std::string(study::nameOf(run->kind)),
                                        std::string(study::nameOf(run->status))};
        for (const study::Factor& factor : study.factors)
            row.push_back(settingText(*run, factor.name));
        for (const study::Response& response : study.responses)
            row.push_back(resultText(*run, response.name));
        row.push_back(run->results.empty() ? std::string()
                                           : std::string(study::nameOf(run->provenance.source)));
        rows.push_back(std::move(row));
    }
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
    for (const Table& table : tablesOf(study, fits))
        text += markdownTable(table);
    return text;
}

std::string latexTables(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::string text = "% " + latexText(study.name) + " (needs the package booktabs)\n";
    if (study::hasSimulatedResults(study))
        text += "% " + std::string(kSimulated) + "\n";
    for (Table& table : tablesOf(study, fits)) {
        if (study::hasSimulatedResults(study))
            table.caption += " (simulated data)";
        text += latexTable(table);
    }
    return text;
}

} // namespace quadric::exchange
