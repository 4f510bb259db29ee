// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/comparison_tables.h"

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
    if (!opinion.isOk())
        return {.note = opinion.message};
    report::Table table{
        .caption = "Errors at settings left out",
        .columns = {{.title = "model", .kind = report::ColumnKind::Text},
                    {.title = "MAE", .tooltip = "Mean absolute error.", .unit = opinion.unit},
                    {.title = "RMSE", .tooltip = "Root of the mean squared error.", .unit = opinion.unit},
                    {.title = "R²", .tooltip = "Share of the variation that is predicted."}},
        .note = text::formatCount(opinion.runs, "run") + " at " +
                text::formatCount(opinion.settings, "setting") + ", left out in " +
                text::formatCount(opinion.parts, "part") +
                ". All answers of the study come from its own model."};
    for (const RivalScore& score : opinion.scores) {
        if (score.isOk())
            table.rows.push_back({score.model, report::makeCell(score.mae), report::makeCell(score.rmse),
                                  report::makeCell(score.r2, report::Digits::Share)});
        else
            table.rows.push_back({score.model, score.message, {}, {}});
    }
    return table;
}

} // namespace quadric::plan
