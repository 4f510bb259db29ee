// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/joint_tables.h"

#include "core/model/fit/model_summary.h"

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
std::vector<std::string> termsOf(const Fits& fits, const auto& rowsOf)
{
    std::vector<std::string> terms;
    for (const Fit& fit : fits) {
        auto place = terms.begin();
        for (const auto& row : rowsOf(fit)) {
            const auto known = std::ranges::find(terms, row.term);
            place = std::next(known == terms.end() ? terms.insert(place, row.term) : known);
        }
    }
    return terms;
}

/// A row of cells for each term, `cells` of them for each model; nothing where the model lacks the term.
void addTerms(Table& table, const Fits& fits, std::size_t cells, const auto& rowsOf, const auto& addCells)
{
    for (const std::string& term : termsOf(fits, rowsOf)) {
        std::vector<Cell> row{TermName{term}};
        for (const Fit& fit : fits) {
            const auto& rows = rowsOf(fit);
            const auto found =
                std::ranges::find_if(rows, [&term](const auto& each) { return each.term == term; });
            if (found == rows.end())
                row.resize(row.size() + cells);
            else
                addCells(*found, row);
        }
        table.rows.push_back(std::move(row));
    }
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
    addTerms(
        table, models, 2, [](const Fit& fit) -> const auto& { return fit.coefficients; },
        [](const model::Coefficient& each, std::vector<Cell>& row) {
            row.push_back(makeEstimateCell(each.estimate, each.se));
            row.push_back(makeCell(each.p, Digits::Probability));
        });
    table.note = "Change of the response per coded unit, half the range of the factor.";
    return table;
}

Table makeJointActualCoefficientTable(const std::vector<Fit>& fits)
{
    const Fits models = usable(fits);
    Table table{.caption = "Coefficients in actual units", .columns = {{"Term", {}, ColumnKind::Text}}};
    for (const Fit& fit : models)
        table.columns.push_back(columnOf(fit));
    addTerms(
        table, models, 1, [](const Fit& fit) -> const auto& { return fit.actualCoefficients; },
        [](const model::ActualCoefficient& each, std::vector<Cell>& row) {
            row.push_back(makeCell(each.estimate));
        });
    table.note = "Each column is the equation of a response. Factors on a log₂ scale enter with the log₂ of "
                 "their value.";
    return table;
}

} // namespace quadric::report
