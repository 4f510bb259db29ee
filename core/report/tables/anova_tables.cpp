// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/thresholds.h"
#include "core/report/tables/model_tables.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

/// A sum of squares this small beside the largest one is what rounding left of zero.
constexpr double kRounding = 1e-12;

/// Sums and mean squares of one analysis, zero where rounding is all that they are.
class SquareCells {
public:
    explicit SquareCells(const std::vector<model::AnovaRow>& rows)
    {
        for (const model::AnovaRow& row : rows)
            m_largest = std::max(m_largest, std::abs(row.ss));
    }

    Cell make(const std::optional<double>& value) const
    {
        const bool isRounding = value && std::abs(*value) <= kRounding * m_largest;
        return makeCell(isRounding ? 0.0 : value);
    }

private:
    double m_largest = 0.0;
};

} // namespace

Table makeAnovaTable(const model::Fit& fit)
{
    Table table{
        .id = "anova",
        .caption = "Analysis of variance",
        .columns = {{"Source", "Source of the variation; groups are entered one after another.",
                     ColumnKind::Text, "source"},
                    {"df", "Degrees of freedom of the row.", ColumnKind::Number, "df"},
                    {"Sum of squares", "Variation explained by the row.", ColumnKind::Number, "ss"},
                    {"Mean square", "Sum of squares per degree of freedom.", ColumnKind::Number, "ms"},
                    {"F", "Mean square of the row over that of the error it is tested against.",
                     ColumnKind::Number, "f"},
                    {"p", "Probability of an F this large by chance alone.", ColumnKind::Number, "p"}}};
    const SquareCells squares(fit.anova);
    for (const model::AnovaRow& row : fit.anova)
        table.rows.push_back({row.source, row.df, squares.make(row.ss), squares.make(row.ms),
                              makeCell(row.f, Digits::Ratio), makeCell(row.p, Digits::Probability)});
    return table;
}

Table makeAnovaByTermTable(const model::Fit& fit)
{
    Table table = makeAnovaTable(fit);
    if (fit.termRows.empty())
        return table;
    table.rows.push_back({"Each term given all others"});
    table.rows.back().resize(table.columns.size());
    const SquareCells squares(fit.termRows);
    for (const model::AnovaRow& row : fit.termRows)
        table.rows.push_back({TermName{row.source}, row.df, squares.make(row.ss), squares.make(row.ms),
                              makeCell(row.f, Digits::Ratio), makeCell(row.p, Digits::Probability)});
    return table;
}

Table makeTermTable(const model::Fit& fit)
{
    Table table{
        .id = "terms",
        .caption = "Term tests (Type III / partial)",
        .columns = {{"Term", "Each term is tested given all others.", ColumnKind::Text, "source"},
                    {"df", "Degrees of freedom of the term.", ColumnKind::Number, "df"},
                    {"Sum of squares", "Variation that only this term explains.", ColumnKind::Number, "ss"},
                    {"F", "Mean square of the term over that of the error.", ColumnKind::Number, "f"},
                    {"p", "Probability of an F this large by chance alone.", ColumnKind::Number, "p"},
                    {"Contribution", "Share of all partial sums of squares and that of the residual.",
                     ColumnKind::Number, "contribution", "%"}}};
    const SquareCells squares(fit.termRows);
    for (const model::AnovaRow& row : fit.termRows)
        table.rows.push_back({TermName{row.source}, row.df, squares.make(row.ss),
                              makeCell(row.f, Digits::Ratio), makeCell(row.p, Digits::Probability),
                              makeCell(row.contribution)});
    if (std::ranges::any_of(fit.termRows,
                            [](const auto& row) { return row.p && *row.p >= model::kSignificance; }))
        table.note = "The contribution of a term with p ≥ 0.05 cannot be distinguished from noise.";
    return table;
}

} // namespace quadric::report
