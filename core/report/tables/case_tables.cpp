// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/model_tables.h"

#include "core/model/fit/spread_check.h"

#include <cmath>
#include <optional>

namespace quadric::report {

namespace {

/// A tenth of the residuals' spread: with its digits observed − fitted is the residual as it is shown.
/// Unknown where all residuals are 0.
std::optional<double> findCaseDigits(const model::Fit& fit)
{
    double squares = 0.0;
    for (const model::Diagnostic& row : fit.diagnostics)
        squares += row.residual * row.residual;
    return squares > 0.0 ? std::optional(std::sqrt(squares / double(fit.diagnostics.size())) / 10.0)
                         : std::nullopt;
}

} // namespace

Table makeCaseTable(const model::Fit& fit)
{
    Table table{
        .id = "diagnostics",
        .caption = "Case statistics",
        .columns = {{"Run", {}, ColumnKind::Number, "run"},
                    {"Order", {}, ColumnKind::Number, "order"},
                    {"Observed", {}, ColumnKind::Number, "observed"},
                    {"Fitted", {}, ColumnKind::Number, "fitted"},
                    {"Residual", "Observed less fitted.", ColumnKind::Number, "residual"},
                    {"Leverage", "How much the run pulls the model towards itself, 0 to 1.",
                     ColumnKind::Number, "leverage"},
                    {"Internally studentized", "The residual divided by its standard error.",
                     ColumnKind::Number, "internally_studentized"},
                    {"Externally studentized", "The same with a standard error that leaves the run out.",
                     ColumnKind::Number, "externally_studentized"},
                    {"Cook's distance", "How far the model would move without the run.", ColumnKind::Number,
                     "cooks_distance"},
                    {"DFFITS", "How far the fitted value of the run would move without it.",
                     ColumnKind::Number, "dffits"}}};
    if (fit.transform.kind != study::TransformKind::None)
        table.note = "Values are on the scale of the transform (" + study::nameOf(fit.transform) + ").";
    const std::optional<double> digits = findCaseDigits(fit);
    for (const model::Diagnostic& row : fit.diagnostics)
        table.rows.push_back({row.run, row.order, makeEstimateCell(row.observed, digits),
                              makeEstimateCell(row.fitted, digits), makeEstimateCell(row.residual, digits),
                              makeCell(row.leverage), makeCell(row.internallyStudentized),
                              makeCell(row.externallyStudentized), makeCell(row.cooksDistance),
                              makeCell(row.dffits)});
    return table;
}

Table makeResidualTestTable(const model::Fit& fit)
{
    const model::ResidualChecks& checks = fit.residualChecks;
    Table table{.id = "residual_checks",
                .caption = "Residual tests",
                .columns = {{"Test", {}, ColumnKind::Text},
                            {"Value", {}, ColumnKind::Number},
                            {"p", {}, ColumnKind::Number},
                            {"Meaning", {}, ColumnKind::Text}}};
    const auto add = [&table](const char* name, const std::optional<double>& value,
                              const std::optional<double>& p, const char* meaning) {
        if (value)
            table.rows.push_back({name, makeCell(value), makeCell(p, Digits::Probability), meaning});
    };
    add("Durbin–Watson", checks.durbinWatson, checks.durbinWatsonP,
        "Near 2: neighboring runs are independent.");
    add("Drift per run", checks.driftSlope, checks.driftP,
        "Small p: the response changed while the runs were made.");
    add("Shapiro–Wilk", checks.shapiroWilk, checks.normalityP,
        "Small p: the residuals are not normally distributed.");
    if (const std::optional<model::SpreadCheck> spread = model::checkSpread(fit))
        add("Breusch–Pagan", spread->slope, spread->p,
            "Small p: the residuals scatter more at high fitted values (value above 0) or at low ones.");
    return table;
}

} // namespace quadric::report
