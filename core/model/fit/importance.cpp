// SPDX-License-Identifier: GPL-3.0-or-later
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
    explicit Marginals(const Regression& regression)
        : m_regression(regression)
    {
    }

    /// Mean of the column's part in factor i over the region.
    double mean(std::size_t column, std::size_t i) const
    {
        const Column& c = m_regression.columns[column];
        if (c.term.powers[i] == 0)
            return 1.0;
        return c.contrast[i] >= 0 ? 0.0 : momentOf(c.term.powers[i]);
    }

    /// Mean of the product of two columns' parts in factor i; contrasts a, b over L equally likely levels
    /// have the mean product (δ + 1)/L.
    double product(std::size_t a, std::size_t b, std::size_t i) const
    {
        const Column& first = m_regression.columns[a];
        const Column& second = m_regression.columns[b];
        if (first.contrast[i] >= 0 && second.contrast[i] >= 0) {
            const double levels = static_cast<double>(m_regression.factors[i].categories.size());
            return (first.contrast[i] == second.contrast[i] ? 2.0 : 1.0) / levels;
        }
        if (first.contrast[i] >= 0 || second.contrast[i] >= 0)
            return 0.0;
        return momentOf(first.term.powers[i] + second.term.powers[i]);
    }

private:
    const Regression& m_regression;
};

/// Shares of the covariance of two columns over the region.
struct Covariance {
    double whole = 0.0;
    std::vector<double> main, total;
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

/// Adds weight × the shares of the covariance of columns a and b.
void addCovariance(const Marginals& marginals, std::size_t a, std::size_t b,
                   const std::vector<std::vector<std::size_t>>& factors, double weight, Covariance& sum)
{
    const std::vector<std::size_t> both = common(factors[a], factors[b]);
    if (both.empty())
        return;
    double apart = 1.0; // mean of what only one of them depends on
    for (const auto& [column, own] : {std::pair{a, &factors[a]}, std::pair{b, &factors[b]}}) {
        for (const std::size_t i : *own) {
            if (!std::ranges::binary_search(both, i))
                apart *= marginals.mean(column, i);
        }
    }
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
        sum.main[i] += weight * main * apart;
        sum.total[i] += weight * total * apart;
    }
    sum.whole += weight * (products - means) * apart;
}

} // namespace

std::vector<Importance> importanceOf(const Regression& regression)
{
    const std::size_t factors = regression.factors.size();
    const Marginals marginals(regression);
    std::vector<std::vector<std::size_t>> factorsOfColumns;
    for (const Column& column : regression.columns)
        factorsOfColumns.push_back(factorsOf(column));
    Covariance sum{0.0, std::vector<double>(factors), std::vector<double>(factors)};
    for (std::size_t a = 1; a < regression.columns.size(); ++a) {
        for (std::size_t b = 1; b < regression.columns.size(); ++b) {
            const double weight = regression.solution.beta[regression.positionOf(a)] *
                                  regression.solution.beta[regression.positionOf(b)];
            addCovariance(marginals, a, b, factorsOfColumns, weight, sum);
        }
    }
    std::vector<Importance> importance;
    for (std::size_t i = 0; i < factors; ++i) {
        const double scale = sum.whole > 0 && regression.sst > 0 ? 1 / sum.whole : 0.0;
        importance.push_back({regression.factors[i].name, sum.main[i] * scale, sum.total[i] * scale});
    }
    return importance;
}

} // namespace quadric::model
