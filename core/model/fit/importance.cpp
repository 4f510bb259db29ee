// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/importance_shares.h"
#include "core/model/fit/tables.h"

#include <algorithm>
#include <iterator>

namespace quadric::model {

namespace {

/// Mean of x^power for x uniform on [−1, 1].
double momentOf(int power)
{
    return power % 2 == 0 ? 1.0 / (power + 1) : 0.0;
}

/// The part of a column that depends on one factor, for its mean and its products with other columns.
class Marginals {
public:
    Marginals(const std::vector<Column>& columns, const std::vector<study::Factor>& factors)
        : m_columns(columns)
        , m_factors(factors)
    {
    }

    /// Mean of the column's part in factor i over the region.
    double mean(std::size_t column, std::size_t i) const
    {
        const Column& c = m_columns[column];
        if (c.term.powers[i] == 0)
            return 1.0;
        return c.contrast[i] >= 0 ? 0.0 : momentOf(c.term.powers[i]);
    }

    /// Mean of the product of two columns' parts in factor i; contrasts a, b over L equally likely levels
    /// have the mean product (δ + 1)/L.
    double product(std::size_t a, std::size_t b, std::size_t i) const
    {
        const Column& first = m_columns[a];
        const Column& second = m_columns[b];
        if (first.contrast[i] >= 0 && second.contrast[i] >= 0) {
            const double levels = static_cast<double>(m_factors[i].categories.size());
            return (first.contrast[i] == second.contrast[i] ? 2.0 : 1.0) / levels;
        }
        if (first.contrast[i] >= 0 || second.contrast[i] >= 0)
            return 0.0;
        return momentOf(first.term.powers[i] + second.term.powers[i]);
    }

private:
    const std::vector<Column>& m_columns;
    const std::vector<study::Factor>& m_factors;
};

/// Factors that both columns depend on; only these make the columns vary together.
std::vector<std::size_t> common(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b)
{
    std::vector<std::size_t> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return both;
}

std::vector<std::size_t> factorsOf(const Column& column)
{
    std::vector<std::size_t> factors;
    for (std::size_t i = 0; i < column.term.powers.size(); ++i) {
        if (column.term.powers[i] != 0)
            factors.push_back(i);
    }
    return factors;
}

/// The covariance of columns a and b over the region, and the shares of their factors in it.
CovarianceShares sharesOf(const Marginals& marginals, std::size_t a, std::size_t b,
                          const std::vector<std::vector<std::size_t>>& factors)
{
    CovarianceShares shares{a, b, 0.0, {}};
    const std::vector<std::size_t> both = common(factors[a], factors[b]);
    double apart = 1.0; // mean of what only one of them depends on
    for (const auto& [column, own] : {std::pair{a, &factors[a]}, std::pair{b, &factors[b]}}) {
        for (const std::size_t i : *own) {
            if (!std::ranges::binary_search(both, i))
                apart *= marginals.mean(column, i);
        }
    }
    if (both.empty() || apart == 0.0)
        return shares;
    double products = 1.0, means = 1.0;
    for (const std::size_t i : both) {
        products *= marginals.product(a, b, i);
        means *= marginals.mean(a, i) * marginals.mean(b, i);
        const double own = marginals.product(a, b, i) - marginals.mean(a, i) * marginals.mean(b, i);
        double main = own, total = own;
        for (const std::size_t j : both) {
            if (j != i) {
                main *= marginals.mean(a, j) * marginals.mean(b, j);
                total *= marginals.product(a, b, j);
            }
        }
        shares.factors.push_back({i, main * apart, total * apart});
    }
    shares.whole = (products - means) * apart;
    return shares;
}

} // namespace

std::vector<CovarianceShares> makeCovarianceShares(const std::vector<Column>& columns,
                                                   const std::vector<study::Factor>& factors)
{
    const Marginals marginals(columns, factors);
    std::vector<std::vector<std::size_t>> factorsOfColumns;
    for (const Column& column : columns)
        factorsOfColumns.push_back(factorsOf(column));
    std::vector<CovarianceShares> all;
    for (std::size_t a = 1; a < columns.size(); ++a) {
        for (std::size_t b = 1; b < columns.size(); ++b) {
            CovarianceShares shares = sharesOf(marginals, a, b, factorsOfColumns);
            if (!shares.factors.empty())
                all.push_back(std::move(shares));
        }
    }
    return all;
}

VarianceParts sumShares(const std::vector<CovarianceShares>& shares, const Eigen::MatrixXd& products,
                        std::size_t factors)
{
    VarianceParts parts{0.0, std::vector<double>(factors), std::vector<double>(factors)};
    for (const CovarianceShares& each : shares) {
        const double weight = products(static_cast<Eigen::Index>(each.a), static_cast<Eigen::Index>(each.b));
        parts.whole += weight * each.whole;
        for (const FactorShare& share : each.factors) {
            parts.main[share.factor] += weight * share.main;
            parts.total[share.factor] += weight * share.total;
        }
    }
    return parts;
}

std::vector<Importance> importanceOf(const Regression& regression)
{
    const std::size_t factors = regression.factors.size();
    Eigen::VectorXd beta(std::ssize(regression.columns));
    for (std::size_t j = 0; j < regression.columns.size(); ++j)
        beta[static_cast<Eigen::Index>(j)] = regression.solution.beta[regression.positionOf(j)];
    const VarianceParts parts = sumShares(makeCovarianceShares(regression.columns, regression.factors),
                                          beta * beta.transpose(), factors);
    std::vector<Importance> importance;
    for (std::size_t i = 0; i < factors; ++i) {
        const double scale = parts.whole > 0 && regression.sst > 0 ? 1 / parts.whole : 0.0;
        importance.push_back({regression.factors[i].name, parts.main[i] * scale, parts.total[i] * scale});
    }
    return importance;
}

} // namespace quadric::model
