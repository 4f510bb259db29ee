// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/measurement_tables.h"

namespace quadric::report {

namespace {

Cell wordsCell(const std::string& words)
{
    return words.empty() ? Cell() : Cell(words);
}

} // namespace

Table makeSpreadTable(const study::MeasurementQuality& quality)
{
    Table table{.id = "spread",
                .caption = "Spread inside the runs",
                .columns = {{"Response", {}, ColumnKind::Text},
                            {"Runs", {}},
                            {"Median", {}, ColumnKind::Number, {}, "%"},
                            {"Largest", {}, ColumnKind::Number, {}, "%"},
                            {"In run", {}},
                            {"The spread is", {}, ColumnKind::Text}}};
    for (const study::ResponseSpread& row : quality.spreads)
        table.rows.push_back({row.response, row.runs, makeCell(row.median), makeCell(row.largest),
                              row.largestRun, wordsCell(row.meaning)});
    return table;
}

Table makeDriftTable(const std::vector<model::Fit>& fits)
{
    Table table{.id = "drift",
                .caption = "Drift between the runs",
                .columns = {{"Response", {}, ColumnKind::Text}, {"Change per run", {}}, {"t", {}}, {"p", {}}},
                .note =
                    "The run order as one more term of the model, on the model's scale; a small p means that "
                    "the response changed while the runs were made."};
    for (const model::Fit& fit : fits) {
        const model::ResidualChecks& checks = fit.residualChecks;
        if (fit.isOk() && checks.driftSlope)
            table.rows.push_back({fit.response, makeCell(checks.driftSlope),
                                  makeCell(checks.driftT, Digits::Ratio),
                                  makeCell(checks.driftP, Digits::Probability)});
    }
    return table;
}

Table makeDisturbedTable(const study::MeasurementQuality& quality)
{
    Table table{.id = "disturbed",
                .caption = "Runs that were disturbed",
                .columns = {{"Run", {}}, {"Why", {}, ColumnKind::Text}}};
    for (const study::DisturbedRun& run : quality.disturbed)
        table.rows.push_back({run.run, wordsCell(run.reason)});
    return table;
}

Table makeLostTable(const study::MeasurementQuality& quality)
{
    Table table{
        .id = "lost",
        .caption = "Runs without a result that counts",
        .columns = {{"Run", {}}, {"What happened", {}, ColumnKind::Text}, {"Why", {}, ColumnKind::Text}}};
    for (const study::LostRun& run : quality.lost) {
        const bool isExcluded = run.status == study::RunStatus::Excluded;
        table.rows.push_back({run.run,
                              isExcluded         ? "excluded"
                              : run.kind.empty() ? "failed"
                                                 : run.kind,
                              wordsCell(run.reason)});
    }
    return table;
}

} // namespace quadric::report
