// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/evaluate/aliasing.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/design/base/information.h"
#include "core/model/base/model_size.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

/// Larger matrices are not made: each entry is computed, kept and printed.
constexpr double kMostColumns = 2000;

/// So many are looked through for those without powers.
constexpr double kMostListed = 10000;

/// Columns whose spread over the runs is below this share of their length do not vary.
constexpr double kNoSpread = 1e-9;

/// Entries of the alias matrix below this are rounding.
constexpr double kNoAlias = 1e-10;

/// Correlations this near to ±1 belong to equal columns.
constexpr double kEqual = 1.0 - 1e-9;

void appendTerms(model::Term term, std::size_t factor, int left, const std::vector<study::Factor>& factors,
                 std::vector<model::Term>& terms)
{
    if (left == 0) {
        terms.push_back(std::move(term));
        return;
    }
    if (factor == factors.size())
        return;
    const int most = factors[factor].isNumeric() ? left : 1;
    for (int power = most; power >= 0; --power) {
        term.powers[factor] = power;
        appendTerms(term, factor + 1, left - power, factors, terms);
    }
}

int degreeOf(const Information& information)
{
    int degree = 1;
    for (const std::vector<model::Column>* columns : {&information.columns, &information.leftOut})
        for (const model::Column& column : *columns)
            degree = std::max(degree, column.term.degree());
    return degree;
}

bool isIn(const std::vector<model::Column>& columns, const model::Column& column)
{
    return std::any_of(columns.begin(), columns.end(),
                       [&](const model::Column& other) { return other.name == column.name; });
}

/// How many furtherColumns() has with those that were left out, before any is built.
double countFurther(const Information& information, int degree)
{
    return model::countColumns(degree, information.factors) - static_cast<double>(information.columns.size());
}

/// All terms whose degree is at most `degree`; powers above 1 of numeric factors only. The intercept is not
/// among them. Lower degrees first.
std::vector<model::Term> termsUpTo(int degree, const std::vector<study::Factor>& factors)
{
    std::vector<model::Term> terms;
    for (int d = 1; d <= degree; ++d)
        appendTerms(model::Term{std::vector<int>(factors.size(), 0)}, 0, d, factors, terms);
    return terms;
}

/// Columns of terms up to `degree` that are not estimated; without those of terms that were asked for and
/// left out unless `withLeftOut`.
std::vector<model::Column> furtherColumns(const Information& information, int degree, bool withLeftOut)
{
    std::vector<model::Column> further;
    for (model::Column& column :
         model::columnsOf(termsUpTo(degree, information.factors), information.factors)) {
        if (!isIn(information.columns, column) && (withLeftOut || !isIn(information.leftOut, column)))
            further.push_back(std::move(column));
    }
    return further;
}

Eigen::MatrixXd pointsOf(const Information& information)
{
    Eigen::MatrixXd points(information.n(), static_cast<Eigen::Index>(information.factors.size()));
    for (Eigen::Index i = 0; i < points.rows(); ++i)
        points.row(i) = information.points[static_cast<std::size_t>(i)].x;
    return points;
}

/// The columns about their means and at unit length, those that do not vary left out; with their names.
struct UnitColumns {
    std::vector<std::string> names;
    Eigen::MatrixXd values;
};

UnitColumns unitColumns(const Information& information, const std::vector<model::Column>& columns)
{
    UnitColumns unit;
    unit.values = ColumnTable(columns, information.factors).at(pointsOf(information));
    Eigen::Index kept = 0;
    for (Eigen::Index j = 0; j < unit.values.cols(); ++j) {
        const Eigen::VectorXd centered = unit.values.col(j).array() - unit.values.col(j).mean();
        if (!(centered.norm() > kNoSpread * unit.values.col(j).norm()))
            continue;
        unit.values.col(kept++) = centered.normalized();
        unit.names.push_back(columns[static_cast<std::size_t>(j)].name);
    }
    unit.values.conservativeResize(Eigen::NoChange, kept);
    return unit;
}

std::vector<std::string> namesOf(const std::vector<model::Column>& columns)
{
    std::vector<std::string> names;
    names.reserve(columns.size());
    for (const model::Column& column : columns)
        names.push_back(column.name);
    return names;
}

} // namespace

NamedMatrix computeTermCorrelations(const Information& information)
{
    std::vector<model::Column> columns = information.columns;
    columns.insert(columns.end(), information.leftOut.begin(), information.leftOut.end());
    if (degreeOf(information) == 1 && model::countColumns(2, information.factors) <= kMostColumns) {
        for (model::Column& column : furtherColumns(information, 2, false))
            columns.push_back(std::move(column));
    }
    UnitColumns unit = unitColumns(information, columns);
    NamedMatrix correlation{unit.names, unit.names, algebra::cross(unit.values)};
    correlation.values = correlation.values.cwiseMin(1.0).cwiseMax(-1.0);
    return correlation;
}

NamedMatrix computeAliasMatrix(const Information& information)
{
    const int degree = degreeOf(information) + 1;
    if (countFurther(information, degree) > kMostColumns)
        return {};
    const std::vector<model::Column> further = furtherColumns(information, degree, true);
    const Eigen::MatrixXd x2 = ColumnTable(further, information.factors).at(pointsOf(information));
    Eigen::MatrixXd x1(information.n(), information.blocks.cols() + information.p());
    x1 << information.blocks, information.x;
    const Eigen::MatrixXd all = algebra::leastSquares(x1, x2);
    NamedMatrix alias{namesOf(information.columns), namesOf(further), all.bottomRows(information.p())};
    alias.values = (alias.values.array().abs() < kNoAlias).select(0.0, alias.values);
    return alias;
}

std::vector<std::vector<std::string>> equalColumns(const Information& information)
{
    const int degree = degreeOf(information) + 1;
    if (countFurther(information, degree) > kMostListed)
        return {};
    std::vector<model::Column> columns = information.columns;
    columns.insert(columns.end(), information.leftOut.begin(), information.leftOut.end());
    for (model::Column& column : furtherColumns(information, degree, false))
        columns.push_back(std::move(column));
    std::erase_if(columns, [](const model::Column& column) {
        return std::ranges::any_of(column.term.powers, [](int power) { return power > 1; });
    });
    if (static_cast<double>(columns.size()) > kMostColumns)
        return {};
    const UnitColumns unit = unitColumns(information, columns);
    const Eigen::MatrixXd products = algebra::cross(unit.values);
    std::vector<std::vector<std::string>> groups;
    std::vector<bool> isTaken(unit.names.size(), false);
    for (std::size_t i = 0; i < unit.names.size(); ++i) {
        std::vector<std::string> group{unit.names[i]};
        for (std::size_t j = i + 1; j < unit.names.size() && !isTaken[i]; ++j) {
            const double product = products(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            if (std::abs(product) < kEqual)
                continue;
            isTaken[j] = true;
            group.push_back((product < 0.0 ? "-" : "") + unit.names[j]);
        }
        if (group.size() > 1)
            groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace quadric::design
