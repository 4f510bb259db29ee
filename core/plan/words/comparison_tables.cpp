// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/comparison_tables.h"

#include <algorithm>

namespace quadric::plan {

namespace {

/// A ratio as what it adds, in per cent.
double changeOf(const ResponseDifference& difference, double value)
{
    return difference.isRatio ? 100.0 * (value - 1.0) : value;
}

std::string unitOf(const ResponseDifference& difference)
{
    return difference.isRatio ? " %" : difference.unit.empty() ? "" : " " + difference.unit;
}

report::Cell changeCell(const ResponseDifference& difference)
{
    if (difference.settings == 0)
        return {};
    const auto half = difference.interval ? std::optional((changeOf(difference, difference.interval->high) -
                                                           changeOf(difference, difference.interval->low)) /
                                                          2.0)
                                          : std::nullopt;
    return report::makeEstimateCell(changeOf(difference, difference.estimate), half);
}

report::Cell rangeCell(const ResponseDifference& difference, const std::optional<model::Interval>& interval)
{
    return interval ? report::Cell(report::Range{changeOf(difference, interval->low),
                                                 changeOf(difference, interval->high), unitOf(difference)})
                    : report::Cell();
}

std::string capitalized(std::string_view words)
{
    std::string text(words);
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::size_t countRivals(const Opinion& opinion)
{
    return static_cast<std::size_t>(std::ranges::count_if(opinion.scores, [](const RivalScore& score) {
        return score.rival != Rival::Polynomial && score.isOk();
    }));
}

std::string errorsText(const Opinion& opinion, const RivalScore& score, const RivalScore& own)
{
    const std::string unit = opinion.unit.empty() ? "" : " " + opinion.unit;
    return "mean absolute error " + text::formatNumber(score.mae) + unit + " instead of " +
           text::formatNumber(own.mae) + unit + ", " + text::formatPClause(score.p) + ", corrected for " +
           text::formatCount(countRivals(opinion), "model");
}

} // namespace

std::string_view describeDifference(const ResponseDifference& difference)
{
    switch (difference.verdict) {
    case Difference::Better:
        return difference.isSpeed ? "faster" : "better";
    case Difference::Worse:
        return difference.isSpeed ? "slower" : "worse";
    case Difference::Higher:
        return "higher";
    case Difference::Lower:
        return "lower";
    case Difference::NotShown:
        break;
    }
    return "no difference shown";
}

std::string describeResponse(const ResponseDifference& difference, double confidence,
                             text::Typography typography)
{
    const std::string verdict(describeDifference(difference));
    if (!difference.interval)
        return difference.response + ": " + verdict +
               (difference.message.empty() ? "." : " (" + difference.message + ").");
    const double half =
        (changeOf(difference, difference.interval->high) - changeOf(difference, difference.interval->low)) /
        2.0;
    return difference.response + ": " + verdict + ", change " +
           text::formatNumber(changeOf(difference, difference.estimate), half, typography) +
           unitOf(difference) + " (" + text::formatPercent(confidence, 0) + " interval " +
           text::formatRange(changeOf(difference, difference.interval->low),
                             changeOf(difference, difference.interval->high), typography) +
           unitOf(difference) + ", " + text::formatCount(difference.settings, "setting") + ").";
}

report::Table makeDifferenceTable(const StudyComparison& comparison)
{
    using report::ColumnKind;
    const std::string level = text::formatPercent(comparison.confidence, 0);
    report::Table table{
        .id = "comparison",
        .caption = comparison.second + " compared with " + comparison.first,
        .columns = {{"Response", {}, ColumnKind::Text},
                    {"Verdict", "Of the second study, held against the first.", ColumnKind::Text},
                    {"Change", "Second against first: per cent of a ratio, or the response's unit."},
                    {"", {}, ColumnKind::Text},
                    {level + " interval", "Of this response alone.", ColumnKind::Text},
                    {"p",
                     "Probability of such a difference by chance, adjusted for the number of responses."},
                    {"Settings", "That both studies have measured."},
                    {"At single settings", "Smallest and largest change.", ColumnKind::Text}},
        .note =
            "Differences are between equal settings; the geometric mean ratio, where all values are above "
            "0, with the t interval over the settings. Intervals hold " +
            level + " each; verdicts and p by Holm over " +
            text::formatCount(comparison.responses.size(), "response") + " together."};
    for (const ResponseDifference& each : comparison.responses) {
        const bool isThere = each.settings > 0;
        table.rows.push_back(
            {each.response, std::string(describeDifference(each)), changeCell(each),
             isThere ? unitOf(each) : std::string(),
             each.interval ? rangeCell(each, each.interval) : report::Cell(each.message),
             each.adjustedP ? report::Cell(text::formatP(*each.adjustedP)) : report::Cell(), each.settings,
             isThere ? rangeCell(each, model::Interval{each.smallest, each.largest}) : report::Cell()});
    }
    return table;
}

report::Table makeChangeTable(const StudyComparison& comparison)
{
    using report::ColumnKind;
    report::Table table{.id = "changes",
                        .caption = "What changed",
                        .columns = {{"", {}, ColumnKind::Text},
                                    {comparison.first, {}, ColumnKind::Text},
                                    {comparison.second, {}, ColumnKind::Text}}};
    for (const auto* facts : {&comparison.settings, &comparison.provenance}) {
        for (const ChangedFact& fact : *facts)
            table.rows.push_back({fact.name, fact.first, fact.second});
    }
    if (table.rows.empty())
        table.note = "Fixed settings, machine, versions and code are the same, as far as the runs tell.";
    return table;
}

report::Table makeOpinionTable(const Opinion& opinion)
{
    report::Table table{
        .columns = {
            {.title = "model", .kind = report::ColumnKind::Text},
            {.title = "MAE",
             .tooltip = "Mean absolute error at runs left out; ± is its standard deviation over the "
                        "divisions into folds.",
             .unit = opinion.unit},
            {.title = "±", .unit = opinion.unit},
            {.title = "RMSE", .tooltip = "Root of the mean squared error there.", .unit = opinion.unit},
            {.title = "±", .unit = opinion.unit},
            {.title = "R²", .tooltip = "Share of the variation that is predicted for runs left out."},
            {.title = "p",
             .tooltip = "Probability that so much less error than the polynomial's is chance, corrected for "
                        "folds that share runs and for the number of models."}}};
    for (const RivalScore& score : opinion.scores) {
        std::vector<report::Cell> row{std::string(wordsOf(score.rival))};
        if (!score.isOk())
            row.insert(row.end(), {score.message, {}, {}, {}, {}, {}});
        else
            row.insert(row.end(), {report::makeCell(score.mae), report::makeCell(score.maeSd),
                                   report::makeCell(score.rmse), report::makeCell(score.rmseSd),
                                   report::makeCell(score.r2, report::Digits::Share),
                                   score.rival == Rival::Polynomial
                                       ? report::Cell()
                                       : report::makeCell(score.p, report::Digits::Probability)});
        table.rows.push_back(std::move(row));
    }
    return table;
}

report::Table makeImportanceTable(const Opinion& opinion, const std::vector<study::Factor>& factors)
{
    report::Table table{.columns = {{.title = "importance", .kind = report::ColumnKind::Text}}};
    for (const study::Factor& factor : factors)
        table.columns.push_back(
            {.title = factor.name, .tooltip = "By how much the error grows when this factor is shuffled."});
    for (const RivalScore& score : opinion.scores) {
        if (!score.isOk() || score.importance.empty())
            continue;
        std::vector<report::Cell> row{std::string(wordsOf(score.rival))};
        for (const double importance : score.importance)
            row.push_back(report::makeCell(importance, report::Digits::Percent));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string describeOpinion(const Opinion& opinion)
{
    if (!opinion.isOk())
        return opinion.message;
    const auto own = std::ranges::find(opinion.scores, Rival::Polynomial, &RivalScore::rival);
    if (own == opinion.scores.end() || !own->isOk())
        return "The polynomial cannot be fitted without the runs of a fold: " +
               (own == opinion.scores.end() ? std::string("it was not asked for.") : own->message);
    if (opinion.better >= 0) {
        const RivalScore& better = opinion.scores[static_cast<std::size_t>(opinion.better)];
        return capitalized(wordsOf(better.rival)) + " predicts " + opinion.response +
               " at settings left out better than the polynomial (" + errorsText(opinion, better, *own) +
               "): the runs show something that the polynomial misses. Check its residuals, and try further "
               "terms, a transform or the Gaussian process. All other answers of the study still come from "
               "the polynomial.";
    }
    const RivalScore* nearest = nullptr;
    for (const RivalScore& score : opinion.scores)
        if (score.rival != Rival::Polynomial && score.isOk() &&
            (nearest == nullptr || score.mae < nearest->mae))
            nearest = &score;
    if (nearest == nullptr)
        return "No other model can be fitted to these runs.";
    return "No other model predicts " + opinion.response +
           " at settings left out better than the polynomial by more than chance; the smallest error of the "
           "others: " +
           std::string(wordsOf(nearest->rival)) + " (" + errorsText(opinion, *nearest, *own) +
           "). With few runs a better model may go unnoticed." +
           (nearest->rival == Rival::Process
                ? " What Explore says of both above its plots is a sharper "
                  "test of whether the surface bends more than the polynomial can."
                : "");
}

} // namespace quadric::plan
