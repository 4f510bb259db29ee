// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tables.h"

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

Covariance covarianceOf(const Marginals& marginals, std::size_t a, std::size_t b, std::size_t factors)
{
    Covariance c{0.0, std::vector<double>(factors), std::vector<double>(factors)};
    double products = 1.0, means = 1.0;
    for (std::size_t i = 0; i < factors; ++i) {
        products *= marginals.product(a, b, i);
        means *= marginals.mean(a, i) * marginals.mean(b, i);
        const double own = marginals.product(a, b, i) - marginals.mean(a, i) * marginals.mean(b, i);
        c.main[i] = own;
        c.total[i] = own;
        for (std::size_t j = 0; j < factors; ++j) {
            if (j != i) {
                c.main[i] *= marginals.mean(a, j) * marginals.mean(b, j);
                c.total[i] *= marginals.product(a, b, j);
            }
        }
    }
    c.whole = products - means;
    return c;
}

} // namespace

std::vector<Importance> importanceOf(const Regression& regression)
{
    const std::size_t factors = regression.factors.size();
    const Marginals marginals(regression);
    Covariance sum{0.0, std::vector<double>(factors), std::vector<double>(factors)};
    for (std::size_t a = 1; a < regression.columns.size(); ++a) {
        for (std::size_t b = 1; b < regression.columns.size(); ++b) {
            const Covariance c = covarianceOf(marginals, a, b, factors);
            const double weight = regression.solution.beta[regression.positionOf(a)] *
                                  regression.solution.beta[regression.positionOf(b)];
            sum.whole += weight * c.whole;
            for (std::size_t i = 0; i < factors; ++i) {
                sum.main[i] += weight * c.main[i];
                sum.total[i] += weight * c.total[i];
            }
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
