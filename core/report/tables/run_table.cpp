// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/study_tables.h"

#include "core/report/table_text.h"
#include "core/study/disturbance.h"
#include "core/study/outcome.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

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

} // namespace

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

void addSettingCells(const study::Study& study, const study::Settings& settings, std::vector<Cell>& row)
{
    for (const study::Factor& factor : study.factors)
        row.push_back(settingCell(settings, factor.name));
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

} // namespace quadric::report
