// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/model_tables.h"

#include "core/model/fit/effect_ranking.h"
#include "core/report/table_text.h"

namespace quadric::report {

namespace {

std::string numberOrNothing(const std::optional<double>& value)
{
    return formatCell(makeCell(value));
}

} // namespace

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

Table makeImportanceTable(const model::Fit& fit)
{
    Table table{.id = "importance",
                .caption = "Importance of the factors",
                .columns = {{"Factor", {}, ColumnKind::Text, "factor"},
                            {"Alone", {}, ColumnKind::Number, "main"},
                            {"With its interactions", {}, ColumnKind::Number, "total"}},
                .note = "Share of the fitted response's variance over the region (Sobol)."};
    for (const model::Importance& row : fit.importance)
        table.rows.push_back({row.factor, makeCell(row.main), makeCell(row.total)});
    return table;
}

} // namespace quadric::report
