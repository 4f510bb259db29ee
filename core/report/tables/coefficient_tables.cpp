// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/effects.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/table.h"
#include "core/report/tables/model_tables.h"
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

std::string numberOrNothing(const std::optional<double>& value)
{
    return formatCell(makeCell(value));
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

std::string describeEffectLimit(const model::EffectLimit& limit)
{
    if (limit.method == "t")
        return "Significant beyond |t| = " + text::formatNumber(limit.value) +
               (limit.bonferroni ? "; among all terms (Bonferroni) " + text::formatNumber(*limit.bonferroni)
                                 : "") +
               ".";
    if (limit.method == "lenth")
        return "Lenth: margin of error " + text::formatNumber(limit.value) +
               ", simultaneous margin of error " + numberOrNothing(limit.sme) + ", pseudo standard error " +
               numberOrNothing(limit.pse) + ".";
    return {};
}

Table makeEffectTable(const model::Fit& fit)
{
    const bool isLenth = fit.effectLimit.method == "lenth";
    Table table{
        .id = "effects",
        .caption = "Effects",
        .columns = {{"Term", {}, ColumnKind::Text, "term"},
                    {"Effect", "Change of the response from the low to the high level.", ColumnKind::Number,
                     "effect"},
                    {isLenth ? "Lenth's t" : "|t|",
                     isLenth ? "Effect, its term orthogonalized, over Lenth's pseudo standard error."
                             : "Effect over its standard error.",
                     ColumnKind::Number, "standardized"},
                    {"p", "Probability of an effect this large by chance alone.", ColumnKind::Number, "p"},
                    {"p (Holm)",
                     "The same among all terms: below 5 % for any of them by chance in at most 5 % of "
                     "studies.",
                     ColumnKind::Number, "p_adjusted"}},
        .note = describeEffectLimit(fit.effectLimit)};
    const std::vector<std::optional<double>> adjusted = model::adjustEffects(fit);
    for (std::size_t i = 0; i < fit.effects.size(); ++i) {
        const model::Effect& row = fit.effects[i];
        table.rows.push_back({TermName{row.term}, makeCell(row.effect),
                              makeCell(row.standardized, Digits::Ratio), makeCell(row.p, Digits::Probability),
                              makeCell(adjusted[i], Digits::Probability)});
    }
    return table;
}

} // namespace quadric::report
