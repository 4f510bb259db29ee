// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/base/lenth.h"
#include "core/model/fit/tables.h"

#include <cmath>

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
double rangeOf(const Regression& regression, const Term& term)
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

double effectOf(const Regression& regression, const Term& term)
{
    const std::vector<Eigen::Index> at = positionsOf(regression, term);
    if (at.size() > 1)
        return rangeOf(regression, term);
    // The contrast of a categorical factor is +1 at the first level, the effect is second minus first.
    const double sign = countCategorical(term, regression.factors) % 2 == 0 ? 1.0 : -1.0;
    return sign * 2 * regression.solution.beta[at.front()];
}

/// |t|, for several degrees of freedom the |t| with the same probability as F.
std::optional<double> standardized(const AnovaRow& row, int df)
{
    if (!row.f)
        return std::nullopt;
    const bool hasEquivalent = row.df > 1 && *row.p > 0 && *row.p < 1;
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
    const std::optional<Lenth> lenth = lenthOf(sizes, confidence);
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

} // namespace

std::vector<Effect> effectsOf(const Regression& regression, const std::vector<AnovaRow>& termRows)
{
    std::vector<Effect> effects;
    for (const Term& term : regression.terms) {
        if (term.isIntercept())
            continue;
        const AnovaRow& row = termRows[effects.size()];
        effects.push_back({row.source, effectOf(regression, term), standardized(row, regression.df), row.p});
    }
    return effects;
}

EffectLimit judgeEffects(const Regression& regression, double confidence, std::vector<Effect>& effects)
{
    if (effects.empty())
        return {};
    if (regression.df == 0)
        return lenthLimit(regression, confidence, effects);
    EffectLimit limit;
    limit.method = "t";
    limit.value = tLimit(1 - confidence, regression.df);
    limit.bonferroni = tLimit((1 - confidence) / static_cast<double>(effects.size()), regression.df);
    return limit;
}

} // namespace quadric::model
