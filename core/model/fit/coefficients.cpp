// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/fit/tables.h"

#include <cmath>

namespace quadric::model {

namespace {

/// An estimate with everything that is tested about it; `limit` is the quantile for |t|.
Coefficient tested(const Regression& regression, std::string name, double estimate, double unscaledVariance,
                   double limit)
{
    Coefficient row;
    row.term = std::move(name);
    row.estimate = estimate;
    const std::optional<double> variance = regression.variance();
    if (!variance)
        return row;
    row.se = std::sqrt(*variance * unscaledVariance);
    const double half = limit * *row.se;
    row.low = row.estimate - half;
    row.high = row.estimate + half;
    if (*row.se > 0) {
        row.t = row.estimate / *row.se;
        row.p = tProbability(*row.t, regression.df);
    }
    return row;
}

/// The sum of weights × coefficients.
Coefficient estimateOf(const Regression& regression, std::string name, const Eigen::VectorXd& weights,
                       double limit)
{
    return tested(regression, std::move(name), weights.dot(regression.solution.beta),
                  weights.dot(regression.solution.covariance * weights), limit);
}

/// Variance inflation: variance of the coefficient over what it would be with orthogonal columns.
std::optional<double> inflationOf(const Regression& regression, Eigen::Index column)
{
    if (column == 0)
        return std::nullopt;
    const Eigen::VectorXd centered = withoutMean(regression.x.col(column), regression.x.col(0));
    return regression.solution.covariance(column, column) * centered.squaredNorm();
}

Coefficient columnRow(const Regression& regression, const std::string& name, Eigen::Index column,
                      double limit)
{
    Coefficient row = tested(regression, name, regression.solution.beta[column],
                             regression.solution.covariance(column, column), limit);
    row.vif = inflationOf(regression, column);
    return row;
}

void appendBlocks(const Regression& regression, double limit, std::vector<Coefficient>& rows)
{
    const auto nameOfBlock = [&](std::size_t i) {
        return "block[" + std::to_string(regression.blocks[i]) + "]";
    };
    Eigen::VectorXd last = Eigen::VectorXd::Zero(regression.x.cols());
    for (Eigen::Index j = 1; j <= regression.blockColumns(); ++j) {
        rows.push_back(columnRow(regression, nameOfBlock(static_cast<std::size_t>(j - 1)), j, limit));
        last[j] = -1.0;
    }
    if (!regression.blocks.empty())
        rows.push_back(estimateOf(regression, nameOfBlock(regression.blocks.size() - 1), last, limit));
}

/// A term at the last level of one or more categorical factors, as a sum of its columns.
struct LastLevel {
    std::string name;
    Eigen::VectorXd weights;
};

/// All combinations of levels of a term's categorical factors; −1 for factors without levels.
std::vector<std::vector<int>> levelCombinations(const Regression& regression, const Term& term)
{
    std::vector<std::vector<int>> combinations{std::vector<int>(term.powers.size(), -1)};
    for (std::size_t i = 0; i < term.powers.size(); ++i) {
        if (term.powers[i] == 0 || regression.factors[i].isNumeric())
            continue;
        std::vector<std::vector<int>> expanded;
        for (const std::vector<int>& combination : combinations) {
            for (int level = 0; level < static_cast<int>(regression.factors[i].categories.size()); ++level) {
                expanded.push_back(combination);
                expanded.back()[i] = level;
            }
        }
        combinations = std::move(expanded);
    }
    return combinations;
}

/// Weight of a column at a combination of levels: its contrasts multiplied.
double weightAt(const Column& column, const std::vector<int>& levels,
                const std::vector<study::Factor>& factors)
{
    double weight = 1.0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const bool isLast = levels[i] == static_cast<int>(factors[i].categories.size()) - 1;
        if (levels[i] >= 0)
            weight *= levels[i] == column.contrast[i] ? 1.0 : (isLast ? -1.0 : 0.0);
    }
    return weight;
}

std::vector<LastLevel> lastLevelsOf(const Regression& regression, const Term& term)
{
    std::vector<LastLevel> result;
    for (const std::vector<int>& levels : levelCombinations(regression, term)) {
        LastLevel last{columnName(term, levels, regression.factors),
                       Eigen::VectorXd::Zero(regression.x.cols())};
        bool isColumn = false;
        for (std::size_t j = 0; j < regression.columns.size(); ++j) {
            isColumn |= regression.columns[j].name == last.name;
            if (regression.columns[j].term == term)
                last.weights[regression.positionOf(j)] =
                    weightAt(regression.columns[j], levels, regression.factors);
        }
        if (!isColumn)
            result.push_back(std::move(last));
    }
    return result;
}

/// Columns that a term has when none is aliased.
std::size_t fullColumnCount(const Regression& regression, const Term& term)
{
    return columnsOf({term}, regression.factors).size();
}

} // namespace

std::vector<Coefficient> coefficientsOf(const Regression& regression, double confidence)
{
    const double limit = regression.df > 0 ? tLimit(1 - confidence, regression.df) : 0.0;
    std::vector<Coefficient> rows;
    for (const Term& term : regression.terms) {
        std::size_t count = 0;
        for (std::size_t j = 0; j < regression.columns.size(); ++j) {
            if (regression.columns[j].term != term)
                continue;
            ++count;
            rows.push_back(
                columnRow(regression, regression.columns[j].name, regression.positionOf(j), limit));
        }
        if (term.isIntercept())
            appendBlocks(regression, limit, rows);
        else if (count == fullColumnCount(regression, term)) {
            for (LastLevel& last : lastLevelsOf(regression, term))
                rows.push_back(estimateOf(regression, std::move(last.name), last.weights, limit));
        }
    }
    return rows;
}

} // namespace quadric::model
