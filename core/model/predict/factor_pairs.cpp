// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/factor_pairs.h"

#include <algorithm>

namespace quadric::model {

namespace {

/// Each effect belongs to a term but the intercept, in the same order.
std::vector<Term> termsOfEffects(const Fit& fit)
{
    std::vector<Term> terms = fit.terms;
    std::erase_if(terms, &Term::isIntercept);
    return terms;
}

/// Takes an effect into account, the largest first.
void addEffect(FactorPair& pair, const Term& term, const RankedEffect& effect)
{
    const bool isShared = term.powers[pair.first] > 0 && term.powers[pair.second] > 0;
    if (isShared && effect.size > pair.size) {
        pair.size = effect.size;
        pair.significance = effect.significance;
    }
}

} // namespace

std::vector<FactorPair> rankPairs(const Fit& fit)
{
    const std::vector<Term> terms = termsOfEffects(fit);
    const std::vector<RankedEffect> effects = rankEffects(fit);
    std::vector<FactorPair> pairs;
    for (std::size_t i = 0; i < fit.factors.size(); ++i)
        for (std::size_t j = i + 1; j < fit.factors.size(); ++j) {
            FactorPair& pair = pairs.emplace_back(FactorPair{i, j});
            for (const RankedEffect& effect : effects)
                if (effect.index < terms.size())
                    addEffect(pair, terms[effect.index], effect);
        }
    std::ranges::stable_sort(pairs, std::ranges::greater{}, &FactorPair::size);
    return pairs;
}

std::vector<FactorPair> pairsToShow(const Fit& fit, std::size_t most)
{
    std::vector<FactorPair> pairs = rankPairs(fit);
    if (pairs.size() <= most)
        return pairs;
    const auto significant =
        static_cast<std::size_t>(std::ranges::count_if(pairs, &FactorPair::isSignificant));
    pairs.resize(std::clamp<std::size_t>(significant, 1, most));
    return pairs;
}

} // namespace quadric::model
