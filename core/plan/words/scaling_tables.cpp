// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/scaling_tables.h"

#include "core/report/catalogue/node_sentences.h"
#include "core/report/findings/node_findings.h"
#include "core/text/numbers.h"

namespace quadric::plan {

report::Table makeLawTable(const std::vector<LawScore>& laws)
{
    report::Table table{.columns = {{.title = "law", .kind = report::ColumnKind::Text},
                                    {.title = "error of the counts left out"},
                                    {.title = "weight in the interval"}}};
    for (const LawScore& score : laws)
        table.rows.push_back({std::string(nameOf(score.law.kind)), text::formatPercent(score.heldOutError),
                              text::formatPercent(score.weight)});
    return table;
}

namespace {

/// Speeds over links come from round figures: a hundredth of them is what they can tell.
constexpr double kLinkDigits = 0.01;

void addLinkColumns(report::Table& table)
{
    table.columns.push_back({.title = "over links", .tooltip = "Nothing of the exchange is hidden."});
    table.columns.push_back(
        {.title = "with overlap",
         .tooltip = "Two thirds of the computing hide the exchange (the backward pass)."});
}

void addLinkCells(const LinkSpeed& speed, std::vector<report::Cell>& cells)
{
    cells.push_back(report::makeEstimateCell(speed.apart, kLinkDigits * speed.apart));
    cells.push_back(report::makeEstimateCell(speed.overlapped, kLinkDigits * speed.overlapped));
}

} // namespace

report::Table makeSpeedTable(const std::vector<ForecastRow>& rows, double confidence,
                             const std::function<Estimate(const ForecastRow&)>& costOfMillion,
                             const std::vector<LinkSpeed>& links)
{
    report::Table table{.columns = {{.title = "GPUs"},
                                    {.title = "speed (" + text::formatPercent(confidence, 0) + " interval)"},
                                    {.title = "speed-up"},
                                    {.title = "efficiency"}}};
    if (costOfMillion)
        table.columns.push_back({.title = "cost of a million"});
    if (!links.empty())
        addLinkColumns(table);
    table.columns.push_back({.kind = report::ColumnKind::Text});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ForecastRow& row = rows[i];
        std::vector<report::Cell> cells{row.count,
                                        report::Bounded{row.speed.value, row.speed.low, row.speed.high},
                                        report::makeCell(row.speedUp), text::formatPercent(row.efficiency)};
        if (costOfMillion) {
            const Estimate cost = costOfMillion(row);
            cells.emplace_back(report::Bounded{cost.value, cost.low, cost.high});
        }
        if (!links.empty())
            addLinkCells(links[i], cells);
        cells.emplace_back(row.isMeasured ? "measured" : "");
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string describeWorth(double worth, int last, int smallest)
{
    const bool isWorthNothing = last == smallest;
    return report::fill(isWorthNothing ? report::catalogue::kDoublingIsNotWorthIt
                                       : report::catalogue::kDoublingIsWorthIt,
                        {{"times", text::formatBriefly(worth)}, {"gpus", text::formatCount(last, "GPU")}});
}

std::optional<report::Finding> findIdleCounts(const std::vector<ForecastRow>& rows,
                                              const std::optional<study::NodeSize>& node)
{
    std::vector<int> counts;
    for (const ForecastRow& row : rows) {
        if (!row.isMeasured)
            counts.push_back(row.count);
    }
    return node ? report::findIdleCounts(counts, *node) : std::nullopt;
}

report::Table makeLinkTable(const std::vector<LinkSpeed>& speeds)
{
    report::Table table{.columns = {{.title = "GPUs"}}};
    addLinkColumns(table);
    for (const LinkSpeed& speed : speeds) {
        std::vector<report::Cell> cells{speed.count};
        addLinkCells(speed, cells);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

} // namespace quadric::plan
