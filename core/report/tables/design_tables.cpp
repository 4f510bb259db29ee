// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/design_tables.h"

#include "core/report/table_text.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

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
