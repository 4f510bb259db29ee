// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/study_tables.h"

#include "core/study/response.h"
#include "core/study/run.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace quadric::report {

namespace {

/// A longer list of levels is not read.
constexpr std::size_t kMostLevels = 100;

std::string describeLevels(const study::Factor& factor)
{
    const std::size_t count = factor.isNumeric() ? factor.levels.size() : factor.categories.size();
    std::vector<std::string> levels;
    for (std::size_t i = 0; i < std::min(count, kMostLevels); ++i)
        levels.push_back(factor.isNumeric() ? text::formatDigits(factor.levels[i], 6) : factor.categories[i]);
    if (count > kMostLevels)
        levels.push_back("… (" + text::formatCount(count - kMostLevels, "more level") + ")");
    if (factor.type == study::FactorType::Integer && factor.multipleOf > 1)
        levels.push_back("multiples of " + std::to_string(factor.multipleOf));
    return levels.empty() ? std::string(text::kNothing) : text::joinWords(levels);
}

Cell scaleCell(const study::Factor& factor)
{
    if (!factor.isNumeric())
        return {};
    return factor.scale == study::Scale::Log2 ? "log₂" : "linear";
}

Cell limitCell(const study::Response& response, const std::optional<double>& limit)
{
    if (response.goal == study::Goal::None)
        return {};
    return limit ? makeCell(limit) : Cell("from data");
}

/// "logit, for the bounds 0 … 100".
std::string describeTransform(const study::Response& response)
{
    const std::string name = study::nameOf(study::effectiveTransform(response));
    return response.bounds ? name + ", for the bounds " + study::describeBounds(*response.bounds) : name;
}

Cell settingCell(const study::Settings& settings, const std::string& factor)
{
    const auto value = settings.find(factor);
    if (value == settings.end())
        return {};
    if (const auto* level = std::get_if<std::string>(&value->second))
        return *level;
    return makeCell(std::get<double>(value->second), Digits::Setting);
}

/// What ± means beside the results of these runs; empty without any spread.
std::string describeSpread(const study::Study& study)
{
    const auto run =
        std::ranges::find_if(study.runs, [](const study::Run& each) { return !each.spread.empty(); });
    if (run == study.runs.end())
        return {};
    const std::string meaning = run->provenance.spreadIs;
    return "± in this table is the " + (meaning.empty() ? "spread" : meaning) + ", from inside the run.";
}

/// Decimals that show all of the value, `most` at most.
int countDecimals(double value, int most)
{
    constexpr double kRounding = 1e-9;
    int decimals = 0;
    for (double scaled = value; decimals < most; ++decimals, scaled *= 10.0) {
        if (std::abs(scaled - std::round(scaled)) <= kRounding * scaled)
            break;
    }
    return decimals;
}

/// An efficiency this near to 100 % differs from it by rounding of the calculation alone.
constexpr double kExact = 1e-6;

/// Two decimals, more where that would be one digit.
std::string formatSpread(double value)
{
    constexpr double kSmall = 0.1;
    return value < kSmall ? text::formatDigits(value, 2) : text::formatDecimals(value, 2);
}

std::string describeFigure(design::DesignNumber kind, const std::optional<double>& value, bool isBest)
{
    if (!value)
        return std::string(text::kNothing);
    return (isBest ? "● " : "") + formatDesignNumber(kind, *value);
}

} // namespace

void addSettingCells(const study::Study& study, const study::Settings& settings, std::vector<Cell>& row)
{
    for (const study::Factor& factor : study.factors)
        row.push_back(settingCell(settings, factor.name));
}

Table makeFactorTable(const study::Study& study)
{
    Table table{.id = "factors",
                .caption = "Factors",
                .columns = {{"Factor", {}, ColumnKind::Text},
                            {"Unit", {}, ColumnKind::Text},
                            {"Type", {}, ColumnKind::Text},
                            {"Low", "The value coded −1."},
                            {"High", "The value coded +1."},
                            {"Scale", "The scale on which the coded value is taken.", ColumnKind::Text},
                            {"Levels", "Values that the factor can have.", ColumnKind::Text}}};
    for (const study::Factor& factor : study.factors) {
        const auto end = [&factor](double value) {
            return factor.isNumeric() ? makeCell(value, Digits::Setting) : Cell();
        };
        table.rows.push_back({factor.name, factor.unit, std::string(study::nameOf(factor.type)),
                              end(factor.low), end(factor.high), scaleCell(factor), describeLevels(factor)});
    }
    return table;
}

Table makeResponseTable(const study::Study& study)
{
    Table table{
        .id = "responses",
        .caption = "Responses",
        .columns = {{"Response", {}, ColumnKind::Text},
                    {"Unit", {}, ColumnKind::Text},
                    {"Goal", {}, ColumnKind::Text},
                    {"Lower limit", "Desirability begins here."},
                    {"Upper limit", "Desirability ends here."},
                    {"Weight", "How much the response counts in the overall desirability."},
                    {"Transform", "Applied to the values before a model is fitted.", ColumnKind::Text}}};
    for (const study::Response& response : study.responses)
        table.rows.push_back({response.name, response.unit, describeGoal(response),
                              limitCell(response, response.low), limitCell(response, response.high),
                              makeCell(response.weight), describeTransform(response)});
    return table;
}

std::string describeGoal(const study::Response& response)
{
    switch (response.goal) {
    case study::Goal::Maximize:
        return "maximize";
    case study::Goal::Minimize:
        return "minimize";
    case study::Goal::Target:
        return "target " + text::formatNumber(response.target) +
               (response.unit.empty() ? "" : " " + response.unit);
    case study::Goal::None:
        break;
    }
    return "no goal";
}

Table makeRunTable(const study::Study& study)
{
    Table table{.id = "runs",
                .caption = "Runs in the order of execution",
                .columns = {{"Run order", {}}, {"Run", {}}, {"Point type", {}, ColumnKind::Text}},
                .note = describeSpread(study)};
    addFactorColumns(study, table);
    std::vector<double> uncertainties;
    for (const study::Response& response : study.responses) {
        table.columns.push_back({response.name, {}, ColumnKind::Number, {}, response.unit});
        uncertainties.push_back(commonUncertainty(study, response.name));
    }
    table.columns.push_back({"Status", {}, ColumnKind::Text});
    for (const study::Run* run : study::inRunOrder(study)) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row = {run->order, run->id, describeKind(run->kind)};
        addSettingCells(study, run->settings, row);
        for (std::size_t i = 0; i < study.responses.size(); ++i)
            row.push_back(makeResultCell(*run, study.responses[i].name, uncertainties[i]));
        row.push_back(describeStatus(*run));
    }
    return table;
}

Cell makeResultCell(const study::Run& run, std::string_view response, double uncertainty)
{
    const auto result = run.results.find(response);
    if (result == run.results.end())
        return {};
    const auto spread = run.spread.find(response);
    if (spread == run.spread.end() || spread->second <= 0)
        return makeEstimateCell(result->second, uncertainty);
    return Bounded{result->second, result->second - spread->second, result->second + spread->second};
}

void addFactorColumns(const study::Study& study, Table& table)
{
    for (const study::Factor& factor : study.factors)
        table.columns.push_back(
            {factor.name, {}, factor.isNumeric() ? ColumnKind::Number : ColumnKind::Text, {}, factor.unit});
}

double commonUncertainty(const study::Study& study, std::string_view response)
{
    constexpr int kDigits = 4;
    std::vector<double> values;
    for (const study::Run& run : study.runs) {
        const auto result = run.results.find(response);
        if (result != run.results.end() && std::isfinite(result->second))
            values.push_back(std::abs(result->second));
    }
    const double largest = values.empty() ? 0.0 : std::ranges::max(values);
    const int whole = largest > 0.0 ? static_cast<int>(std::floor(std::log10(largest))) + 1 : 0;
    int decimals = 0;
    for (const double value : values)
        decimals = std::max(decimals, countDecimals(value, std::max(0, kDigits - whole)));
    return std::pow(10.0, 1.0 - decimals);
}

std::string describeKind(study::RunKind kind)
{
    if (kind == study::RunKind::Design)
        return "factorial";
    return kind == study::RunKind::Augment ? "augmented" : std::string(study::nameOf(kind));
}

std::string describeStatus(const study::Run& run)
{
    switch (run.status) {
    case study::RunStatus::Pending:
        return "pending";
    case study::RunStatus::Running:
        return "measuring";
    case study::RunStatus::Done:
        if (study::isDisturbed(run))
            return "disturbed";
        return run.provenance.shortLook ? "short look" : "done";
    case study::RunStatus::Failed:
        break;
    case study::RunStatus::Excluded:
        return run.reason.empty() ? "excluded" : "excluded: " + run.reason;
    }
    if (study::isCancelled(run))
        return "cancelled";
    std::string kind = run.failure ? ": " + run.failure->kind : std::string();
    std::ranges::replace(kind, '-', ' ');
    return "failed" + kind;
}

Table makePowerTable(const design::Evaluation& evaluation)
{
    Table table{.id = "power",
                .caption = "Power and collinearity",
                .columns = {{"Term", {}, ColumnKind::Text},
                            {"VIF", "Variance inflation: 1 when the term is independent of all others."},
                            {"Power", "Probability to find an effect of this size at the 5 % level."}}};
    if (!evaluation.power.empty())
        table.columns.back().unit = text::formatNumber(evaluation.power.front().effectSd) + " σ";
    for (const design::PowerRow& row : evaluation.power) {
        const auto vif = std::ranges::find(evaluation.vif, row.term, &std::pair<std::string, double>::first);
        table.rows.push_back({TermName{row.term},
                              vif == evaluation.vif.end() ? Cell() : makeCell(vif->second, Digits::Ratio),
                              text::formatPower(row.power)});
    }
    return table;
}

Table makeCheckTable(const design::Evaluation& evaluation)
{
    Table table{.id = "checks",
                .caption = "Checks of the design",
                .columns = {{"Check", {}, ColumnKind::Text},
                            {"Holds", {}, ColumnKind::Text},
                            {"Detail", {}, ColumnKind::Text}}};
    for (const design::Check& check : evaluation.checks)
        table.rows.push_back({check.name, check.ok ? "yes" : "no", check.detail});
    return table;
}

Table makeComparisonTable(const std::vector<std::string>& names,
                          const std::vector<design::ComparisonRow>& rows)
{
    Table table{.id = "comparison",
                .columns = {{"", {}, ColumnKind::Text}},
                .note =
                    "● best. Efficiencies and errors count for designs that can estimate most coefficients."};
    for (const std::string& name : names)
        table.columns.push_back({name});
    for (const design::ComparisonRow& row : rows) {
        std::vector<Cell>& cells = table.rows.emplace_back();
        cells.emplace_back(TermName{row.name});
        for (std::size_t i = 0; i < row.values.size(); ++i)
            cells.push_back(describeFigure(row.kind, row.values[i], row.isBest[i]));
    }
    return table;
}

std::string formatDesignNumber(design::DesignNumber kind, double value)
{
    using design::DesignNumber;
    switch (kind) {
    case DesignNumber::Count:
        return text::formatDecimals(value, 0);
    case DesignNumber::Plain:
        return text::formatDigits(value, 3, text::Typography::Typeset);
    case DesignNumber::Efficiency:
        return text::formatPercent(std::abs(value - 100.0) < kExact ? 1.0 : value / 100.0);
    case DesignNumber::StandardError:
        return formatSpread(value) + " σ";
    case DesignNumber::Variance:
        return formatSpread(value) + " σ²";
    case DesignNumber::Power:
        return text::formatPower(value);
    }
    return {};
}

} // namespace quadric::report
