// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/joint_tables.h"

#include "core/optimize/answer/limit_probability.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <functional>

namespace quadric::report {

namespace {

using model::Fit;
using Fits = std::vector<std::reference_wrapper<const Fit>>;

Fits usable(const std::vector<Fit>& fits)
{
    Fits found;
    for (const Fit& fit : fits)
        if (fit.isOk())
            found.emplace_back(fit);
    return found;
}

/// "throughput", or the scale on which the model is a polynomial: "log throughput".
Column columnOf(const Fit& fit)
{
    const bool isOwn = fit.transform.kind == study::TransformKind::None;
    return {.title = fit.response + (isOwn ? "" : ", " + study::nameOf(fit.transform)),
            .unit = isOwn ? fit.unit : std::string()};
}

/// The terms of all models: each where the first model that has it puts it among those before.
std::vector<std::string> termsOf(const Fits& fits)
{
    std::vector<std::string> terms;
    for (const Fit& fit : fits) {
        auto place = terms.begin();
        for (const model::Coefficient& row : fit.coefficients) {
            const auto known = std::ranges::find(terms, row.term);
            place = std::next(known == terms.end() ? terms.insert(place, row.term) : known);
        }
    }
    return terms;
}

Cell lackOfFitP(const Fit& fit)
{
    const model::AnovaRow* row = model::rowOf(fit, "Lack of fit");
    return row != nullptr ? makeCell(row->p, Digits::Probability) : Cell();
}

} // namespace

Table makeJointFitTable(const std::vector<Fit>& fits)
{
    Table table{.caption = "Models of the responses",
                .columns = {{"Response", {}, ColumnKind::Text},
                            {"Coefficients", "Numbers estimated from the runs."},
                            {"Residual df", "Degrees of freedom left to estimate the error."},
                            {"R²", "Share of the variation between the runs that the model explains."},
                            {"R² adjusted", "R² adjusted for the number of terms."},
                            {"R² predicted", "Share explained when each run is predicted from the others."},
                            {"RMSE", "Scatter of single runs around the model."},
                            {"Lack of fit p", "Small: the model misses more than repeated runs scatter."}}};
    for (const Fit& fit : usable(fits)) {
        const Column name = columnOf(fit);
        table.rows.push_back({name.unit.empty() ? name.title : name.title + " (" + name.unit + ")",
                              fit.parameters, fit.dfResidual, makeCell(fit.r2, Digits::Share),
                              makeCell(fit.r2Adjusted, Digits::Share),
                              makeCell(fit.r2Predicted, Digits::Share),
                              fit.dfResidual > 0 ? makeCell(fit.sigma) : Cell(), lackOfFitP(fit)});
    }
    return table;
}

Table makeJointCoefficientTable(const std::vector<Fit>& fits)
{
    const Fits models = usable(fits);
    Table table{.caption = "Coefficients in coded units", .columns = {{"Term", {}, ColumnKind::Text}}};
    for (const Fit& fit : models) {
        table.columns.push_back(columnOf(fit));
        table.columns.push_back({"p", "Probability of a t this large by chance alone."});
    }
    for (const std::string& term : termsOf(models)) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.emplace_back(TermName{term});
        for (const Fit& fit : models) {
            const auto found = std::ranges::find(fit.coefficients, term, &model::Coefficient::term);
            const bool isThere = found != fit.coefficients.end();
            row.push_back(isThere ? makeEstimateCell(found->estimate, found->se) : Cell());
            row.push_back(isThere ? makeCell(found->p, Digits::Probability) : Cell());
        }
    }
    table.note = "Change of the response per coded unit, half the range of the factor.";
    return table;
}

Table makeResidualCorrelationTable(const std::vector<Fit>& fits)
{
    const Fits models = usable(fits);
    Table table{.caption = "Correlation of the residuals", .columns = {{"Response", {}, ColumnKind::Text}}};
    if (models.size() < 2)
        return table;
    for (const Fit& fit : models)
        table.columns.push_back({fit.response});
    for (const Fit& fit : models) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.emplace_back(fit.response);
        for (const Fit& other : models)
            row.push_back(
                &fit == &other ? Cell() : makeCell(optimize::residualCorrelation(fit, other), Digits::Ratio));
    }
    table.note = "What the models leave over in the same runs: near 1 or −1 two responses are nearly one "
                 "measurement.";
    return table;
}

} // namespace quadric::report
