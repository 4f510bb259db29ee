// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/model_tables.h"

#include "core/report/table_text.h"

namespace quadric::report {

namespace {

/// The scale on which the model lives, where it is not the response's own.
std::string describeScale(const model::Fit& fit)
{
    if (fit.transform.kind == study::TransformKind::None)
        return {};
    return "Fitted to the transformed response (" + study::nameOf(fit.transform) +
           "); coefficients and sums of squares are on that scale.";
}

Cell sigmaCell(const model::Fit& fit)
{
    if (fit.dfResidual <= 0)
        return {};
    const bool hasUnit = !fit.unit.empty() && fit.transform.kind == study::TransformKind::None;
    return hasUnit ? Cell(text::formatNumber(fit.sigma) + " " + fit.unit) : makeCell(fit.sigma);
}

Cell lackOfFitCell(const model::Fit& fit)
{
    const model::AnovaRow* row = model::rowOf(fit, "Lack of fit");
    return row != nullptr && row->p ? Cell(text::formatPClause(*row->p)) : Cell("not testable");
}

std::string describeWeights(const model::Weighting& weighting)
{
    return "Runs count by 1/(variance inside the run + variance between runs); weights from " +
           text::formatBriefly(weighting.lightest) + " to " + text::formatBriefly(weighting.heaviest) + ".";
}

} // namespace

Table makeFitTable(const model::Fit& fit)
{
    Table table{.id = "fit",
                .caption = "Model",
                .columns = {{"Statistic", {}, ColumnKind::Text},
                            {"Value", {}, ColumnKind::Number},
                            {"Meaning", {}, ColumnKind::Text}},
                .note = describeScale(fit)};
    table.rows = {
        {"R²", makeCell(fit.r2, Digits::Share),
         "Share of the variation between the runs that the model explains."},
        {"R² adjusted", makeCell(fit.r2Adjusted, Digits::Share), "R² adjusted for the number of terms."},
        {"R² predicted", makeCell(fit.r2Predicted, Digits::Share),
         "Share explained when each run is predicted from the others (PRESS): how well new runs will be "
         "predicted."},
        {"RMSE (residual std. dev.)", sigmaCell(fit), "Scatter of single runs around the model."},
        {"Lack of fit", lackOfFitCell(fit),
         "Small p: the model misses more than the repeated runs scatter by themselves."},
        {"Adequate precision", makeCell(fit.adequatePrecision),
         "Range of the predictions over their average error; below 4 they differ by little more than it. "
         "Noise alone is often above."},
        {"Runs", fit.n, "Finished runs that the model was fitted to."},
        {"Coefficients", fit.parameters, "Numbers estimated from the runs."},
        {"Residual df", fit.dfResidual, "Degrees of freedom left to estimate the error."}};
    if (fit.weighting)
        table.rows.push_back({"Weights", "by spread", describeWeights(*fit.weighting)});
    if (fit.press)
        table.rows.push_back({"PRESS", makeCell(fit.press),
                              "Sum of the squared errors when each run is predicted from the others."});
    if (fit.aicc)
        table.rows.push_back(
            {"AICc", makeCell(fit.aicc), "Corrected Akaike information criterion: lower is better."});
    return table;
}

Table makeOrderTable(const model::ModelSummary& summary)
{
    Table table{
        .id = "orders",
        .caption = "Fit summary",
        .columns =
            {{"Order", {}, ColumnKind::Text},
             {"Coefficients", "Numbers estimated from the runs.", ColumnKind::Number, "parameters"},
             {"Sequential p", "Tests the terms that this order adds.", ColumnKind::Number, "sequential_p"},
             {"Lack of fit p", "Small: the order misses more than repeated runs scatter by themselves.",
              ColumnKind::Number, "lack_of_fit_p"},
             {"RMSE", "Residual standard deviation.", ColumnKind::Number, "sigma"},
             {"R²", "Share of the variation between the runs that is explained.", ColumnKind::Number, "r2"},
             {"R² adjusted", "R² adjusted for the number of terms.", ColumnKind::Number, "r2_adj"},
             {"R² predicted", "Share explained when each run is predicted from the others.",
              ColumnKind::Number, "r2_pred"},
             {"AICc", "Corrected Akaike information criterion: lower is better.", ColumnKind::Number,
              "aicc"}},
        .note = summary.message};
    for (const model::OrderSummary& row : summary.orders)
        table.rows.push_back(
            {row.name + (row.isSuggested ? " (suggested)" : "") + (row.aliased.empty() ? "" : " (aliased)"),
             row.parameters, makeCell(row.sequentialP, Digits::Probability),
             makeCell(row.lackOfFitP, Digits::Probability), makeCell(row.sigma),
             makeCell(row.r2, Digits::Share), makeCell(row.r2Adjusted, Digits::Share),
             makeCell(row.r2Predicted, Digits::Share), makeCell(row.aicc)});
    return table;
}

} // namespace quadric::report
