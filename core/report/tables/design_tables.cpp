// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/design_tables.h"

#include "core/report/table_text.h"

#include <algorithm>

namespace quadric::report {

namespace {

std::string describeFigure(const std::optional<double>& value, const std::string& unit, bool isBetter)
{
    if (!value)
        return std::string(text::kNothing);
    return (isBetter ? "● " : "") + text::formatNumber(*value) + (unit.empty() ? "" : " " + unit);
}

} // namespace

Table makePowerTable(const design::Evaluation& evaluation)
{
    Table table{.id = "power",
                .caption = "Power and collinearity",
                .columns = {{"Term", {}, ColumnKind::Text},
                            {"VIF", "Variance inflation: 1 when the term is independent of all others."},
                            {"Power", "Probability to find an effect of this size."}}};
    if (!evaluation.power.empty())
        table.columns.back().unit = text::formatNumber(evaluation.power.front().effectSd) + " σ";
    for (const design::PowerRow& row : evaluation.power) {
        const auto vif = std::ranges::find(evaluation.vif, row.term, &std::pair<std::string, double>::first);
        table.rows.push_back({TermName{row.term},
                              vif == evaluation.vif.end() ? Cell() : makeCell(vif->second, Digits::Ratio),
                              makeCell(row.power, Digits::Share)});
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

Table makeComparisonTable(const std::string& first, const std::string& second,
                          const std::vector<design::ComparisonRow>& rows)
{
    constexpr const char* kBetter = "● marks the better design.";
    Table table{.id = "comparison",
                .columns = {{"", {}, ColumnKind::Text}, {first, kBetter}, {second, kBetter}}};
    for (const design::ComparisonRow& row : rows)
        table.rows.push_back({TermName{row.name}, describeFigure(row.first, row.unit, row.better == 1),
                              describeFigure(row.second, row.unit, row.better == 2)});
    return table;
}

} // namespace quadric::report
