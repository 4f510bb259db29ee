// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/model_tables.h"

#include "core/model/fit/effect_ranking.h"
#include "core/model/predict/importance_certainty.h"
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

namespace {

/// "0.31 to 0.58".
Cell shareRange(const model::Interval& range)
{
    return text::formatShare(range.low, 2) + " to " + text::formatShare(range.high, 2);
}

std::string importanceNote(const model::ImportanceCertainty& certainty)
{
    std::string note = "Share of the fitted response's variance over the region (Sobol).";
    if (certainty.isNoise())
        note += " All terms together explain no more than chance would (" +
                text::formatPClause(*certainty.p) + "): no share can be distinguished from noise.";
    else if (certainty.factors.empty())
        note += " Without an error estimate it is unknown how much of the shares is noise.";
    return note;
}

} // namespace

Table makeImportanceTable(const model::Fit& fit)
{
    const model::ImportanceCertainty certainty = model::judgeImportance(fit);
    const char* interval = "95 % interval of the share, with what errors add to it taken off.";
    Table table{.id = "importance",
                .caption = "Importance of the factors",
                .columns = {{"Factor", {}, ColumnKind::Text, "factor"},
                            {"Alone", {}, ColumnKind::Number, "main"},
                            {"95 % interval", interval},
                            {"With its interactions", {}, ColumnKind::Number, "total"},
                            {"95 % interval", interval}},
                .note = importanceNote(certainty)};
    for (std::size_t i = 0; i < fit.importance.size(); ++i) {
        const bool isKnown = i < certainty.factors.size();
        table.rows.push_back({fit.importance[i].factor, makeCell(fit.importance[i].main),
                              isKnown ? shareRange(certainty.factors[i].main) : Cell(),
                              makeCell(fit.importance[i].total),
                              isKnown ? shareRange(certainty.factors[i].total) : Cell()});
    }
    return table;
}

} // namespace quadric::report
