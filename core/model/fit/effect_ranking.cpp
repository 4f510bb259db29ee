// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/effect_ranking.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

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

} // namespace

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

} // namespace quadric::model
