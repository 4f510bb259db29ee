// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/term.h"

#include <cmath>
#include <numeric>

namespace quadric::model {

namespace {

Term singleTerm(std::size_t factors, std::size_t factor, int power)
{
    Term term{std::vector<int>(factors, 0)};
    term.powers[factor] = power;
    return term;
}

void appendInteractions(std::vector<Term>& terms, std::size_t factors)
{
    for (std::size_t i = 0; i < factors; ++i) {
        for (std::size_t j = i + 1; j < factors; ++j) {
            Term term = singleTerm(factors, i, 1);
            term.powers[j] = 1;
            terms.push_back(std::move(term));
        }
    }
}

void appendSquares(std::vector<Term>& terms, const std::vector<study::Factor>& factors)
{
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (canBend(factors[i]))
            terms.push_back(singleTerm(factors.size(), i, 2));
    }
}

std::string nameOfPart(const study::Factor& factor, int power, int level)
{
    if (level >= 0)
        return factor.name + "[" + factor.categories[static_cast<std::size_t>(level)] + "]";
    return power == 1 ? factor.name : factor.name + "^" + std::to_string(power);
}

/// The columns of one term: every combination of contrasts of its categorical factors, the last factor
/// fastest.
std::vector<Column> columnsOfTerm(const Term& term, const std::vector<study::Factor>& factors)
{
    std::vector<Column> columns{{term, std::vector<int>(factors.size(), -1), {}}};
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (term.powers[i] == 0 || factors[i].isNumeric())
            continue;
        std::vector<Column> expanded;
        for (const Column& column : columns) {
            for (int level = 0; level + 1 < static_cast<int>(factors[i].categories.size()); ++level) {
                expanded.push_back(column);
                expanded.back().contrast[i] = level;
            }
        }
        columns = std::move(expanded);
    }
    for (Column& column : columns)
        column.name = columnName(column.term, column.contrast, factors);
    return columns;
}

double contrastAt(int contrast, double coded, std::size_t levels)
{
    const int level = static_cast<int>(std::lround(coded));
    if (level == contrast)
        return 1.0;
    return level == static_cast<int>(levels) - 1 ? -1.0 : 0.0;
}

/// The part of a column that one factor makes.
double partAt(const Column& column, std::size_t factor, double coded,
              const std::vector<study::Factor>& factors)
{
    return column.contrast[factor] >= 0
               ? contrastAt(column.contrast[factor], coded, factors[factor].categories.size())
               : powerOf(coded, column.term.powers[factor]);
}

void multiplyPart(const Column& column, std::size_t factor, const std::vector<study::CodedPoint>& points,
                  const std::vector<study::Factor>& factors, Eigen::Ref<Eigen::VectorXd> values)
{
    for (std::size_t i = 0; i < points.size(); ++i)
        values[static_cast<Eigen::Index>(i)] *=
            partAt(column, factor, points[i][static_cast<Eigen::Index>(factor)], factors);
}

} // namespace

int Term::degree() const
{
    return std::accumulate(powers.begin(), powers.end(), 0);
}

std::vector<std::size_t> factorsIn(const Term& term)
{
    std::vector<std::size_t> factors;
    for (std::size_t i = 0; i < term.powers.size(); ++i)
        if (term.powers[i] > 0)
            factors.push_back(i);
    return factors;
}

bool isParent(const Term& parent, const Term& child)
{
    return parent != child && std::ranges::equal(parent.powers, child.powers, std::ranges::less_equal{});
}

std::string nameOf(const Term& term, const std::vector<study::Factor>& factors)
{
    return columnName(term, std::vector<int>(factors.size(), -1), factors);
}

std::string_view nameOf(Order order)
{
    switch (order) {
    case Order::Mean:
        return "mean";
    case Order::Linear:
        return "linear";
    case Order::Interactions:
        return "interactions";
    case Order::Quadratic:
        break;
    }
    return "quadratic";
}

std::string columnName(const Term& term, const std::vector<int>& levels,
                       const std::vector<study::Factor>& factors)
{
    std::string name;
    for (std::size_t i = 0; i < term.powers.size(); ++i) {
        if (term.powers[i] != 0)
            name += (name.empty() ? "" : "*") + nameOfPart(factors[i], term.powers[i], levels[i]);
    }
    return name.empty() ? "1" : name;
}

std::vector<Term> termsOf(Order order, const std::vector<study::Factor>& factors)
{
    std::vector<Term> terms{Term{std::vector<int>(factors.size(), 0)}};
    if (order >= Order::Linear)
        for (std::size_t i = 0; i < factors.size(); ++i)
            terms.push_back(singleTerm(factors.size(), i, 1));
    if (order >= Order::Interactions)
        appendInteractions(terms, factors.size());
    if (order >= Order::Quadratic)
        appendSquares(terms, factors);
    return terms;
}

std::vector<Column> columnsOf(const std::vector<Term>& terms, const std::vector<study::Factor>& factors)
{
    std::vector<Column> columns;
    for (const Term& term : terms) {
        for (Column& column : columnsOfTerm(term, factors))
            columns.push_back(std::move(column));
    }
    return columns;
}

double valueAt(const Column& column, const study::CodedPoint& point,
               const std::vector<study::Factor>& factors)
{
    double value = 1.0;
    for (std::size_t i = 0; i < column.term.powers.size(); ++i) {
        if (column.term.powers[i] != 0)
            value *= partAt(column, i, point[static_cast<Eigen::Index>(i)], factors);
    }
    return value;
}

double slopeOf(const Column& column, const study::CodedPoint& point, std::size_t factor,
               const std::vector<study::Factor>& factors)
{
    const int power = column.term.powers[factor];
    if (power == 0)
        return 0.0;
    Column rest = column;
    rest.term.powers[factor] = 0;
    const double own = power * powerOf(point[static_cast<Eigen::Index>(factor)], power - 1);
    return own * valueAt(rest, point, factors);
}

Eigen::VectorXd rowAt(const std::vector<Column>& columns, const study::CodedPoint& point,
                      const std::vector<study::Factor>& factors)
{
    Eigen::VectorXd row(std::ssize(columns));
    for (std::size_t j = 0; j < columns.size(); ++j)
        row[static_cast<Eigen::Index>(j)] = valueAt(columns[j], point, factors);
    return row;
}

Eigen::MatrixXd modelMatrix(const std::vector<Column>& columns, const std::vector<study::CodedPoint>& points,
                            const std::vector<study::Factor>& factors)
{
    Eigen::MatrixXd x = Eigen::MatrixXd::Ones(std::ssize(points), std::ssize(columns));
    for (std::size_t j = 0; j < columns.size(); ++j) {
        for (std::size_t factor = 0; factor < columns[j].term.powers.size(); ++factor) {
            if (columns[j].term.powers[factor] != 0)
                multiplyPart(columns[j], factor, points, factors, x.col(static_cast<Eigen::Index>(j)));
        }
    }
    return x;
}

double powerOf(double base, int exponent)
{
    double value = 1.0;
    for (int i = 0; i < exponent; ++i)
        value *= base;
    return value;
}

} // namespace quadric::model
