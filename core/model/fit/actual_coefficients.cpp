// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/actual_polynomial.h"
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

/// Replaces coded^power of one factor by its powers of s.
std::vector<ActualTerm> expandFactor(const std::vector<ActualTerm>& terms, std::size_t factor,
                                     const Line& line)
{
    std::vector<ActualTerm> expanded;
    for (const ActualTerm& term : terms) {
        const int power = term.powers[factor];
        for (int k = 0; k <= power; ++k) {
            expanded.push_back(term);
            expanded.back().powers[factor] = k;
            expanded.back().estimate *=
                binomial(power, k) * std::pow(line.slope, k) * std::pow(line.offset, power - k);
        }
    }
    return expanded;
}

std::vector<ActualTerm> expandColumn(const Column& column, double beta,
                                     const std::vector<study::Factor>& factors)
{
    std::vector<ActualTerm> terms{{column.term.powers, column.contrast, beta}};
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i].isNumeric() && column.term.powers[i] > 0)
            terms = expandFactor(terms, i, codingLine(factors[i]));
    }
    return terms;
}

void add(const ActualTerm& term, std::vector<ActualTerm>& sum)
{
    for (ActualTerm& known : sum) {
        if (known.powers == term.powers && known.contrast == term.contrast) {
            known.estimate += term.estimate;
            return;
        }
    }
    sum.push_back(term);
}

} // namespace

std::vector<ActualTerm> actualPolynomial(const std::vector<Column>& columns, const Eigen::VectorXd& beta,
                                         const std::vector<study::Factor>& factors)
{
    std::vector<ActualTerm> sum;
    sum.reserve(columns.size());
    for (const Column& column : columns)
        sum.push_back({column.term.powers, column.contrast, 0.0});
    for (std::size_t j = 0; j < columns.size(); ++j) {
        for (const ActualTerm& term : expandColumn(columns[j], beta[static_cast<Eigen::Index>(j)], factors))
            add(term, sum);
    }
    return sum;
}

std::vector<ActualCoefficient> actualCoefficientsOf(const Regression& regression)
{
    Eigen::VectorXd beta(std::ssize(regression.columns));
    for (std::size_t j = 0; j < regression.columns.size(); ++j)
        beta[static_cast<Eigen::Index>(j)] = regression.solution.beta[regression.positionOf(j)];
    const std::vector<ActualTerm> terms = actualPolynomial(regression.columns, beta, regression.factors);
    std::vector<ActualCoefficient> coefficients;
    coefficients.reserve(terms.size());
    for (const ActualTerm& term : terms)
        coefficients.push_back(
            {columnName(Term{term.powers}, term.contrast, regression.factors), term.estimate});
    return coefficients;
}

} // namespace quadric::model
