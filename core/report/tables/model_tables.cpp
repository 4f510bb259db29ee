// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/model_tables.h"

#include "core/model/base/thresholds.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/select/fit_checks.h"

#include <algorithm>
#include <cmath>
#include <optional>

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

/// A sum of squares this small beside the largest one is what rounding left of zero.
constexpr double kRounding = 1e-12;

/// Sums and mean squares of one analysis, zero where rounding is all that they are.
class SquareCells {
public:
    explicit SquareCells(const std::vector<model::AnovaRow>& rows)
    {
        for (const model::AnovaRow& row : rows)
            m_largest = std::max(m_largest, std::abs(row.ss));
    }

    Cell make(const std::optional<double>& value) const
    {
        const bool isRounding = value && std::abs(*value) <= kRounding * m_largest;
        return makeCell(isRounding ? 0.0 : value);
    }

private:
    double m_largest = 0.0;
};

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
        {"Runs", fit.n, "Finished runs that the model was fitted to."},
        {"Coefficients", fit.parameters, "Numbers estimated from the runs."},
        {"Residual df", fit.dfResidual, "Degrees of freedom left to estimate the error."}};
    if (fit.press)
        table.rows.push_back({"PRESS", makeCell(fit.press),
                              "Sum of the squared errors when each run is predicted from the others."});
    return table;
}

Table makeOrderTable(const std::vector<model::OrderSummary>& orders)
{
    Table table{
        .id = "orders",
        .caption = "Fit summary",
        .columns = {
            {"Order", {}, ColumnKind::Text},
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
             "aicc"}}};
    for (const model::OrderSummary& row : orders)
        table.rows.push_back({row.name + (row.aliased.empty() ? "" : " (aliased)"), row.parameters,
                              makeCell(row.sequentialP, Digits::Probability),
                              makeCell(row.lackOfFitP, Digits::Probability), makeCell(row.sigma),
                              makeCell(row.r2, Digits::Share), makeCell(row.r2Adjusted, Digits::Share),
                              makeCell(row.r2Predicted, Digits::Share), makeCell(row.aicc)});
    return table;
}

Table makeAnovaTable(const model::Fit& fit)
{
    Table table{
        .id = "anova",
        .caption = "Analysis of variance",
        .columns = {{"Source", "Source of the variation; groups are entered one after another.",
                     ColumnKind::Text, "source"},
                    {"df", "Degrees of freedom of the row.", ColumnKind::Number, "df"},
                    {"Sum of squares", "Variation explained by the row.", ColumnKind::Number, "ss"},
                    {"Mean square", "Sum of squares per degree of freedom.", ColumnKind::Number, "ms"},
                    {"F", "Mean square of the row over that of the error it is tested against.",
                     ColumnKind::Number, "f"},
                    {"p", "Probability of an F this large by chance alone.", ColumnKind::Number, "p"}}};
    const SquareCells squares(fit.anova);
    for (const model::AnovaRow& row : fit.anova)
        table.rows.push_back({row.source, row.df, squares.make(row.ss), squares.make(row.ms),
                              makeCell(row.f, Digits::Ratio), makeCell(row.p, Digits::Probability)});
    return table;
}

Table makeAnovaByTermTable(const model::Fit& fit)
{
    Table table = makeAnovaTable(fit);
    if (fit.termRows.empty())
        return table;
    table.rows.push_back({"Each term given all others"});
    table.rows.back().resize(table.columns.size());
    const SquareCells squares(fit.termRows);
    for (const model::AnovaRow& row : fit.termRows)
        table.rows.push_back({TermName{row.source}, row.df, squares.make(row.ss), squares.make(row.ms),
                              makeCell(row.f, Digits::Ratio), makeCell(row.p, Digits::Probability)});
    return table;
}

Table makeTermTable(const model::Fit& fit)
{
    Table table{
        .id = "terms",
        .caption = "Term tests (Type III / partial)",
        .columns = {{"Term", "Each term is tested given all others.", ColumnKind::Text, "source"},
                    {"df", "Degrees of freedom of the term.", ColumnKind::Number, "df"},
                    {"Sum of squares", "Variation that only this term explains.", ColumnKind::Number, "ss"},
                    {"F", "Mean square of the term over that of the error.", ColumnKind::Number, "f"},
                    {"p", "Probability of an F this large by chance alone.", ColumnKind::Number, "p"},
                    {"Contribution", "Share of all partial sums of squares and that of the residual.",
                     ColumnKind::Number, "contribution", "%"}}};
    const SquareCells squares(fit.termRows);
    for (const model::AnovaRow& row : fit.termRows)
        table.rows.push_back({TermName{row.source}, row.df, squares.make(row.ss),
                              makeCell(row.f, Digits::Ratio), makeCell(row.p, Digits::Probability),
                              makeCell(row.contribution)});
    if (std::ranges::any_of(fit.termRows,
                            [](const auto& row) { return row.p && *row.p >= model::kSignificance; }))
        table.note = "The contribution of a term with p ≥ 0.05 cannot be distinguished from noise.";
    return table;
}

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

Table makeStationaryTable(const model::Canonical& canonical, const std::vector<model::Interval>& eigenvalues)
{
    Table table{.id = "canonical",
                .caption = "Stationary point and canonical axes",
                .columns = {{"Factor", {}, ColumnKind::Text}, {"Actual", {}}, {"Coded", {}}}};
    for (Eigen::Index axis = 0; axis < canonical.eigenvalues.size(); ++axis)
        table.columns.push_back({"Axis " + std::to_string(axis + 1), {}});
    for (std::size_t i = 0; i < canonical.factors.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        std::vector<Cell>& cells = table.rows.emplace_back();
        cells = {canonical.factors[i], makeCell(canonical.actual[i]), makeCell(canonical.point[row])};
        for (Eigen::Index axis = 0; axis < canonical.eigenvectors.cols(); ++axis)
            cells.push_back(makeCell(canonical.eigenvectors(row, axis)));
    }
    std::vector<Cell>& values = table.rows.emplace_back();
    values = {"Eigenvalue", "", ""};
    for (const double value : canonical.eigenvalues)
        values.push_back(makeCell(value));
    if (eigenvalues.empty())
        return table;
    std::vector<Cell>& ranges = table.rows.emplace_back();
    ranges = {"95 % interval", "", ""};
    for (const model::Interval& each : eigenvalues)
        ranges.push_back(Range{each.low, each.high});
    return table;
}

std::string describeStationary(const model::Canonical& canonical,
                               const std::vector<model::Interval>& eigenvalues)
{
    std::string text;
    for (std::size_t i = 0; i < canonical.factors.size(); ++i) {
        const double coded = canonical.point[static_cast<Eigen::Index>(i)];
        if (std::abs(coded) > 1.0)
            text += (text.empty() ? "" : ", ") + canonical.factors[i] + " " +
                    text::formatNumber(canonical.actual[i]);
    }
    if (!text.empty())
        return "The stationary point is outside the region (" + text +
               "): it is an extrapolation, not a finding. Look for the best setting at the edge of the "
               "region.";
    if (eigenvalues.empty())
        return "Without an error estimate it is unknown how certain the kind of the stationary point is.";
    if (!model::isKindCertain(eigenvalues))
        return "Its kind is not certain: the interval of an eigenvalue contains 0, so that the response may "
               "be flat or bend the other way along that axis.";
    return "The runs establish its kind: no interval of an eigenvalue contains 0.";
}

Table makePathTable(const model::Path& path)
{
    Table table{.id = "path", .columns = {{"Radius", "Distance from the center in coded units."}}};
    for (const std::string& factor : path.factors)
        table.columns.push_back({factor, {}});
    table.columns.push_back({"Predicted", {}});
    table.columns.push_back({"Std. error", {}});
    table.columns.push_back({"", {}, ColumnKind::Text});
    for (const model::PathPoint& point : path.points) {
        std::vector<Cell>& cells = table.rows.emplace_back();
        cells = {makeCell(point.distance)};
        for (const double value : point.actual)
            cells.push_back(makeCell(value, Digits::Setting));
        cells.push_back(makeCell(point.prediction.mean));
        cells.push_back(makeCell(point.prediction.se));
        cells.push_back(point.prediction.isExtrapolation ? "extrapolated" : "");
    }
    return table;
}

} // namespace quadric::report
