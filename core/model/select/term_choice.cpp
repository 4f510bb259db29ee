// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/term_choice.h"

#include "core/algebra/products.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/reduce.h"
#include "core/model/fit/regression.h"

#include <algorithm>

namespace quadric::model {

namespace {

/// Every power of `part` is at most that of `whole`.
bool contains(const Term& whole, const Term& part)
{
    return std::ranges::equal(whole.powers, part.powers, std::ranges::greater_equal{});
}

constexpr double kWhole = 0.95;

/// Runs × columns² up to which the rank is computed: some hundredths of a second.
constexpr double kMostAliasWork = 1e8;

std::vector<Term> termsOutside(const Fit& fit)
{
    std::vector<Term> outside = choosableTerms(fit.terms, fit.factors);
    std::erase_if(outside, [&](const Term& term) { return std::ranges::count(fit.terms, term) > 0; });
    return outside;
}

/// The runs cannot estimate all of these columns beside those of the model.
bool exceedsRuns(const Regression& regression, const Eigen::MatrixXd& outside)
{
    const Eigen::Index columns = regression.x.cols() + outside.cols();
    if (columns > regression.x.rows())
        return true;
    Eigen::MatrixXd both(regression.x.rows(), columns);
    both << regression.x, outside;
    return std::ssize(orthogonalBasis(both, kAliasTolerance).kept) < columns;
}

/// The largest weight that a column of the term outside has in an estimate of the term inside.
double weightOf(const Eigen::MatrixXd& weights, const std::vector<Eigen::Index>& inside,
                const std::vector<Column>& columns, const Term& outside)
{
    double weight = 0.0;
    for (std::size_t j = 0; j < columns.size(); ++j)
        for (std::size_t i = 0; columns[j].term == outside && i < inside.size(); ++i)
            weight = std::max(weight, std::abs(weights(inside[i], static_cast<Eigen::Index>(j))));
    return weight;
}

} // namespace

std::vector<Term> choosableTerms(std::span<const Term> terms, const std::vector<study::Factor>& factors)
{
    std::vector<Term> all = termsOf(largestOrder(factors, 0.0, 1.0), factors);
    for (const Term& term : terms) {
        if (std::ranges::find(all, term) == all.end())
            all.push_back(term);
    }
    return all;
}

std::vector<Term> withTerm(std::span<const Term> terms, const Term& term,
                           const std::vector<study::Factor>& factors)
{
    std::vector<Term> wanted(terms.begin(), terms.end());
    wanted.push_back(term);
    try {
        return parseModel(formulaOf(wanted, factors), factors);
    } catch (const ModelTooLarge&) {
        return {terms.begin(), terms.end()};
    }
}

std::vector<Term> withoutTerm(std::span<const Term> terms, const Term& term)
{
    std::vector<Term> kept;
    for (const Term& each : terms) {
        if (each.isIntercept() || !contains(each, term))
            kept.push_back(each);
    }
    return kept;
}

std::vector<std::vector<Term>> findTermAliases(const Fit& fit)
{
    std::vector<std::vector<Term>> aliases(fit.terms.size());
    const std::vector<Term> terms = fit.data ? termsOutside(fit) : std::vector<Term>{};
    const std::vector<Column> columns = columnsOf(terms, fit.factors);
    const auto all = static_cast<double>(columns.size() + fit.columns.size());
    if (columns.empty() || fit.n * all * all > kMostAliasWork)
        return aliases;
    const Regression& regression = fit.data->regression;
    const Eigen::MatrixXd outside = modelMatrix(columns, fit.data->observations.points, fit.factors);
    if (!exceedsRuns(regression, outside))
        return aliases;
    const Eigen::MatrixXd weights =
        algebra::times(regression.solution.covariance, algebra::transposedTimes(regression.x, outside));
    for (std::size_t t = 0; t < fit.terms.size(); ++t) {
        const std::vector<Eigen::Index> inside = positionsOf(regression, fit.terms[t]);
        for (const Term& term : terms)
            if (weightOf(weights, inside, columns, term) >= kWhole)
                aliases[t].push_back(term);
    }
    return aliases;
}

} // namespace quadric::model
