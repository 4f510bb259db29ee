// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/model_tables.h"

#include "core/model/fit/effect_ranking.h"

#include "core/model/fit/selection_test.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

std::vector<Column> coefficientColumns(double confidence)
{
    const std::string level = text::formatPercent(confidence);
    return {{"Term", {}, ColumnKind::Text, "term"},
            {"Estimate", "Change of the response per coded unit, half the range of the factor.",
             ColumnKind::Number, "estimate"},
            {"Std. error", "Standard error of the estimate.", ColumnKind::Number, "se"},
            {"t", "Estimate over its standard error.", ColumnKind::Number, "t"},
            {"p", "Probability of a t this large by chance alone.", ColumnKind::Number, "p"},
            {"p (Holm)", "The same among all coefficients of terms.", ColumnKind::Number, "p_adjusted"},
            {level + " low", "Lower end of the " + level + " interval.", ColumnKind::Number, "low"},
            {level + " high", "Upper end of the " + level + " interval.", ColumnKind::Number, "high"},
            {"VIF", "Variance inflation: 1 when the term is independent of all others.", ColumnKind::Number,
             "vif"}};
}

bool hasLog2Factor(const model::Fit& fit)
{
    return std::ranges::any_of(fit.factors, [](const study::Factor& factor) {
        return factor.isNumeric() && factor.scale == study::Scale::Log2;
    });
}

} // namespace

Table makeCoefficientTable(const model::Fit& fit)
{
    Table table{.id = "coefficients",
                .caption = "Coefficients in coded units",
                .columns = coefficientColumns(fit.confidence)};
    const std::vector<std::optional<double>> adjusted = model::adjustCoefficients(fit);
    for (std::size_t i = 0; i < fit.coefficients.size(); ++i) {
        const model::Coefficient& row = fit.coefficients[i];
        table.rows.push_back({TermName{row.term}, makeEstimateCell(row.estimate, row.se),
                              makeEstimateCell(row.se, row.se), makeCell(row.t, Digits::Ratio),
                              makeCell(row.p, Digits::Probability),
                              makeCell(adjusted[i], Digits::Probability), makeEstimateCell(row.low, row.se),
                              makeEstimateCell(row.high, row.se), makeCell(row.vif, Digits::Ratio)});
    }
    table.note = "Coded units: −1 is the low end and +1 the high end of a factor.";
    if (!fit.aliased.empty())
        table.note +=
            " Left out because they are aliased with other terms: " + text::joinWords(fit.aliased) + ".";
    if (model::isChosen(fit))
        table.note += " " + std::string(catalogue::kChosenTerms);
    return table;
}

Table makeActualCoefficientTable(const model::Fit& fit)
{
    Table table{.id = "actual_coefficients",
                .caption = "Coefficients in actual units",
                .columns = {{"Term", {}, ColumnKind::Text, "term"},
                            {"Estimate", {}, ColumnKind::Number, "estimate"}}};
    for (const model::ActualCoefficient& row : fit.actualCoefficients)
        table.rows.push_back({TermName{row.term}, makeCell(row.estimate)});
    if (hasLog2Factor(fit))
        table.note = "Factors on a log₂ scale enter with the log₂ of their value.";
    return table;
}

} // namespace quadric::report
