// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/tables.h"

#include <cmath>

namespace quadric::model {

namespace {

/// coded = offset + slope × s, with s the actual value or its log2.
struct Line {
    double offset = 0.0, slope = 1.0;
};

Line codingLine(const study::Factor& factor)
{
    const auto scaled = [&](double v) { return factor.scale == study::Scale::Log2 ? std::log2(v) : v; };
    const double halfRange = (scaled(factor.high) - scaled(factor.low)) / 2;
    const double center = (scaled(factor.high) + scaled(factor.low)) / 2;
    return {-center / halfRange, 1 / halfRange};
}

double binomial(int n, int k)
{
    double value = 1.0;
    for (int i = 1; i <= k; ++i)
        value *= static_cast<double>(n - k + i) / i;
    return value;
}

struct Monomial {
    std::vector<int> powers;
    std::vector<int> contrast;
    double estimate = 0.0;
};

/// Replaces coded^power of one factor by its powers of s.
std::vector<Monomial> expandFactor(const std::vector<Monomial>& monomials, std::size_t factor,
                                   const Line& line)
{
    std::vector<Monomial> expanded;
    for (const Monomial& monomial : monomials) {
        const int power = monomial.powers[factor];
        for (int k = 0; k <= power; ++k) {
            expanded.push_back(monomial);
            expanded.back().powers[factor] = k;
            expanded.back().estimate *=
                binomial(power, k) * std::pow(line.slope, k) * std::pow(line.offset, power - k);
        }
    }
    return expanded;
}

std::vector<Monomial> expandColumn(const Regression& regression, std::size_t column)
{
    const Column& source = regression.columns[column];
    const double estimate = regression.solution.beta[regression.positionOf(column)];
    std::vector<Monomial> monomials{{source.term.powers, source.contrast, estimate}};
    for (std::size_t i = 0; i < regression.factors.size(); ++i) {
        if (regression.factors[i].isNumeric() && source.term.powers[i] > 0)
            monomials = expandFactor(monomials, i, codingLine(regression.factors[i]));
    }
    return monomials;
}

void add(const Monomial& monomial, std::vector<Monomial>& sum)
{
    for (Monomial& known : sum) {
        if (known.powers == monomial.powers && known.contrast == monomial.contrast) {
            known.estimate += monomial.estimate;
            return;
        }
    }
    sum.push_back(monomial);
}

} // namespace

std::vector<ActualCoefficient> actualCoefficientsOf(const Regression& regression)
{
    std::vector<Monomial> sum;
    for (const Column& column : regression.columns)
        sum.push_back({column.term.powers, column.contrast, 0.0});
    for (std::size_t j = 0; j < regression.columns.size(); ++j) {
        for (const Monomial& monomial : expandColumn(regression, j))
            add(monomial, sum);
    }
    std::vector<ActualCoefficient> coefficients;
    coefficients.reserve(sum.size());
    for (const Monomial& monomial : sum)
        coefficients.push_back(
            {columnName(Term{monomial.powers}, monomial.contrast, regression.factors), monomial.estimate});
    return coefficients;
}

} // namespace quadric::model
