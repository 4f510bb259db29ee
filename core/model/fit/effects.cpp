// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/effects.h"

#include "core/model/base/distributions.h"
#include "core/model/base/term.h"
#include "core/model/fit/regression.h"
#include "core/model/fit/tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace quadric::model {

namespace {

int countCategorical(const Term& term, const std::vector<study::Factor>& factors)
{
    int count = 0;
    for (std::size_t i = 0; i < factors.size(); ++i)
        count += term.powers[i] != 0 && !factors[i].isNumeric() ? 1 : 0;
    return count;
}

/// Range of a term over the levels of its categorical factors and the ends of its numeric ones.
double computeTermRange(const Regression& regression, const Term& term)
{
    std::vector<study::CodedPoint> points{study::CodedPoint(Eigen::VectorXd::Ones(std::ssize(term.powers)))};
    for (std::size_t i = 0; i < term.powers.size(); ++i) {
        if (term.powers[i] == 0)
            continue;
        const bool isNumeric = regression.factors[i].isNumeric();
        std::vector<study::CodedPoint> expanded;
        for (std::size_t level = 0; level < (isNumeric ? 2 : regression.factors[i].categories.size());
             ++level) {
            for (study::CodedPoint point : points) {
                point[static_cast<Eigen::Index>(i)] =
                    isNumeric ? 2 * static_cast<double>(level) - 1 : static_cast<double>(level);
                expanded.push_back(point);
            }
        }
        points = std::move(expanded);
    }
    Eigen::VectorXd values = Eigen::VectorXd::Zero(std::ssize(points));
    for (std::size_t j = 0; j < regression.columns.size(); ++j) {
        for (std::size_t i = 0; i < points.size() && regression.columns[j].term == term; ++i)
            values[static_cast<Eigen::Index>(i)] +=
                regression.solution.beta[regression.positionOf(j)] *
                valueAt(regression.columns[j], points[i], regression.factors);
    }
    return values.maxCoeff() - values.minCoeff();
}

double computeEffect(const Regression& regression, const Term& term)
{
    const std::vector<Eigen::Index> at = positionsOf(regression, term);
    if (at.size() > 1)
        return computeTermRange(regression, term);
    // The contrast of a categorical factor is +1 at the first level, the effect is second minus first.
    const double sign = countCategorical(term, regression.factors) % 2 == 0 ? 1.0 : -1.0;
    return sign * 2 * regression.solution.beta[at.front()];
}

/// |t|, for several degrees of freedom, and for an error with others than `df`, the |t| with the same
/// probability as F.
std::optional<double> standardized(const AnovaRow& row, int df, bool isOtherError)
{
    if (!row.f)
        return std::nullopt;
    const bool hasEquivalent = (row.df > 1 || isOtherError) && *row.p > 0 && *row.p < 1;
    return hasEquivalent ? tLimit(*row.p, df) : std::sqrt(*row.f);
}

/// Effects of terms that are orthogonalized in their order, 2 ‖q'z‖/√n: with equal variances, and those of
/// the coefficients where the design is orthogonal. Of several columns their root mean square.
std::vector<double> comparableSizes(const Regression& regression)
{
    std::vector<double> sizes;
    for (const Term& term : regression.terms) {
        if (term.isIntercept())
            continue;
        const std::vector<Eigen::Index> at = positionsOf(regression, term);
        sizes.push_back(2 * std::sqrt(regression.solution.sequential(at).mean() / regression.n));
    }
    return sizes;
}

/// Lenth's t ratio; of a term with several columns the |t| with the same probability as its F.
double lenthRatio(double size, int columns, double pseudoError, double df)
{
    const double ratio = size / pseudoError;
    const double p = columns > 1 ? fProbability(ratio * ratio, columns, df) : 0.0;
    return p > 0 && p < 1 ? tLimit(p, df) : ratio;
}

EffectLimit lenthLimit(const Regression& regression, double confidence, std::vector<Effect>& effects)
{
    const std::vector<double> sizes = comparableSizes(regression);
    EffectLimit limit;
    const std::optional<Lenth> lenth = computeLenthLimits(sizes, confidence);
    if (!lenth)
        return limit;
    limit.method = "lenth";
    limit.pse = lenth->pseudoStandardError;
    limit.value = lenth->marginOfError;
    limit.sme = lenth->simultaneous;
    std::size_t i = 0;
    for (const Term& term : regression.terms) {
        if (term.isIntercept())
            continue;
        const auto columns = static_cast<int>(positionsOf(regression, term).size());
        effects[i].standardized = lenthRatio(sizes[i], columns, *limit.pse, lenth->df);
        ++i;
    }
    return limit;
}

using ProbabilityList = std::vector<std::optional<double>>;

double sizeOf(const Effect& effect, const EffectLimit& limit)
{
    if (limit.method == "t")
        return effect.standardized.value_or(0.0);
    if (limit.method == "lenth" && effect.standardized && limit.pse)
        return *effect.standardized * *limit.pse;
    return std::abs(effect.effect);
}

Significance judgeSize(double size, const EffectLimit& limit, std::optional<double> adjusted, double alpha)
{
    if (limit.method.empty() || !(size > limit.value))
        return Significance::None;
    const bool isInFamily =
        limit.method == "lenth" ? limit.sme && size > *limit.sme : adjusted.value_or(1.0) < alpha;
    return isInFamily ? Significance::Family : Significance::Alone;
}

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

/// A variance over the region, and the parts of it that each factor explains alone and with interactions.
struct VarianceParts {
    double whole = 0.0;
    std::vector<double> main, total;
};

/// Adds `weight` times the covariance of columns a and b over the region.
void addCovariance(const Marginals& marginals, std::size_t a, std::size_t b,
                   const std::vector<std::vector<std::size_t>>& factors, double weight, VarianceParts& parts)
{
    const std::vector<std::size_t> both = common(factors[a], factors[b]);
    double apart = 1.0; // mean of what only one of them depends on
    for (const auto& [column, own] : {std::pair{a, &factors[a]}, std::pair{b, &factors[b]}}) {
        for (const std::size_t i : *own) {
            if (!std::ranges::binary_search(both, i))
                apart *= marginals.mean(column, i);
        }
    }
    if (both.empty() || apart == 0.0)
        return;
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
        parts.main[i] += weight * (main * apart);
        parts.total[i] += weight * (total * apart);
    }
    parts.whole += weight * ((products - means) * apart);
}

} // namespace

std::vector<Effect> computeEffects(const Regression& regression, const std::vector<AnovaRow>& termRows)
{
    std::vector<Effect> effects;
    const int withinDf = regression.errorDf({});
    for (const Term& term : regression.terms) {
        if (term.isIntercept())
            continue;
        const AnovaRow& row = termRows[effects.size()];
        effects.push_back(
            {row.source, computeEffect(regression, term),
             standardized(row, withinDf, regression.errorDf(positionsOf(regression, term)) != withinDf),
             row.p});
    }
    return effects;
}

EffectLimit computeEffectLimit(const Regression& regression, double confidence, std::vector<Effect>& effects)
{
    if (effects.empty())
        return {};
    if (regression.df == 0)
        return lenthLimit(regression, confidence, effects);
    EffectLimit limit;
    limit.method = "t";
    const int df = regression.errorDf({});
    limit.value = tLimit(1 - confidence, df);
    limit.bonferroni = tLimit((1 - confidence) / static_cast<double>(effects.size()), df);
    return limit;
}

ProbabilityList adjustByHolm(const ProbabilityList& p)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i])
            order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *p[i]; });
    ProbabilityList adjusted(p.size());
    double largest = 0.0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        largest = std::max(largest, *p[order[rank]] * static_cast<double>(order.size() - rank));
        adjusted[order[rank]] = std::min(largest, 1.0);
    }
    return adjusted;
}

ProbabilityList adjustEffects(const Fit& fit)
{
    ProbabilityList p;
    std::ranges::transform(fit.effects, std::back_inserter(p), &Effect::p);
    return adjustByHolm(p);
}

ProbabilityList adjustCoefficients(const Fit& fit)
{
    ProbabilityList p;
    const std::size_t firstTerm = 1 + (fit.data ? fit.data->regression.blocks.size() : 0);
    for (std::size_t i = 0; i < fit.coefficients.size(); ++i) {
        const Coefficient& row = fit.coefficients[i];
        p.push_back(i >= firstTerm && row.vif ? row.p : std::nullopt);
    }
    return adjustByHolm(p);
}

std::vector<RankedEffect> rankEffects(const Fit& fit)
{
    const ProbabilityList adjusted = adjustEffects(fit);
    std::vector<RankedEffect> ranked;
    for (std::size_t i = 0; i < fit.effects.size(); ++i) {
        const double size = sizeOf(fit.effects[i], fit.effectLimit);
        if (std::isfinite(size))
            ranked.push_back({i, size, judgeSize(size, fit.effectLimit, adjusted[i], 1 - fit.confidence)});
    }
    std::ranges::stable_sort(ranked, std::greater{}, &RankedEffect::size);
    return ranked;
}

std::vector<Importance> computeImportance(const Regression& regression)
{
    const std::size_t factors = regression.factors.size();
    const Marginals marginals(regression.columns, regression.factors);
    std::vector<std::vector<std::size_t>> factorsOfColumns;
    for (const Column& column : regression.columns)
        factorsOfColumns.push_back(factorsIn(column.term));
    VarianceParts parts{0.0, std::vector<double>(factors), std::vector<double>(factors)};
    const auto coefficient = [&regression](std::size_t column) {
        return regression.solution.beta[regression.positionOf(column)];
    };
    for (std::size_t a = 1; a < regression.columns.size(); ++a) {
        for (std::size_t b = 1; b < regression.columns.size(); ++b)
            addCovariance(marginals, a, b, factorsOfColumns, coefficient(a) * coefficient(b), parts);
    }
    std::vector<Importance> importance;
    for (std::size_t i = 0; i < factors; ++i) {
        const double scale = parts.whole > 0 && regression.sst > 0 ? 1 / parts.whole : 0.0;
        importance.push_back({regression.factors[i].name, parts.main[i] * scale, parts.total[i] * scale});
    }
    return importance;
}

} // namespace quadric::model
