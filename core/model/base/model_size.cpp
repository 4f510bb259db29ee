// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/model_size.h"

#include "core/model/base/bending.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// Columns that one factor has at each degree: a numeric one x, x², …; a categorical one its contrasts.
double columnsOfDegree(const study::Factor& factor, int degree)
{
    if (degree == 0 || factor.isNumeric())
        return 1.0;
    return degree == 1 ? static_cast<double>(factor.categories.size()) - 1.0 : 0.0;
}

/// The coefficients of a product of polynomials, one for each factor: entry d counts the columns of degree d.
std::vector<double> countByDegree(int degree, const std::vector<study::Factor>& factors)
{
    std::vector<double> counts(static_cast<std::size_t>(degree) + 1, 0.0);
    counts[0] = 1.0;
    for (const study::Factor& factor : factors) {
        for (int total = degree; total > 0; --total) {
            for (int own = 1; own <= total; ++own)
                counts[static_cast<std::size_t>(total)] +=
                    columnsOfDegree(factor, own) * counts[static_cast<std::size_t>(total - own)];
        }
    }
    return counts;
}

} // namespace

double countColumns(int degree, const std::vector<study::Factor>& factors)
{
    double sum = 0.0;
    for (const double count : countByDegree(degree, factors))
        sum += count;
    return sum;
}

double countColumns(Order order, const std::vector<study::Factor>& factors)
{
    const int degree = order == Order::Mean ? 0 : order == Order::Linear ? 1 : 2;
    const auto missing = std::ranges::count_if(factors, [order](const study::Factor& factor) {
        return factor.isNumeric() && (order == Order::Interactions || !canBend(factor));
    });
    return countColumns(degree, factors) - (degree == 2 ? static_cast<double>(missing) : 0.0);
}

double countColumns(const std::vector<Term>& terms, const std::vector<study::Factor>& factors)
{
    double sum = 0.0;
    for (const Term& term : terms) {
        double product = 1.0;
        for (std::size_t i = 0; i < factors.size(); ++i)
            product *= columnsOfDegree(factors[i], term.powers[i]);
        sum += product;
    }
    return sum;
}

std::string describeExcess(std::string_view model, double columns, double blocks, double runs)
{
    const double all = columns + blocks;
    const double most = std::min(kMostCoefficients, std::floor(std::sqrt(kMostWork / std::max(runs, 1.0))));
    if (all <= most)
        return {};
    const auto count = [](double number) { return text::formatDecimals(number, 0); };
    return "The model '" + std::string(model) + "' has " + count(all) + " coefficients" +
           (blocks > 0.0 ? ", " + count(blocks) + " of them for blocks" : "") + ", at most " + count(most) +
           " can be computed" +
           (most < kMostCoefficients ? " from " + text::formatCount(static_cast<std::size_t>(runs), "run")
                                     : "") +
           ": choose a smaller model, such as linear or a formula of fewer factors.";
}

void requireSize(std::string_view model, double columns, double blocks, double runs)
{
    if (std::string excess = describeExcess(model, columns, blocks, runs); !excess.empty())
        throw ModelTooLarge(std::move(excess));
}

Order largestOrder(const std::vector<study::Factor>& factors, double blocks, double runs)
{
    for (const Order order : {Order::Quadratic, Order::Interactions, Order::Linear}) {
        if (describeExcess({}, countColumns(order, factors), blocks, runs).empty())
            return order;
    }
    return Order::Mean;
}

} // namespace quadric::model
