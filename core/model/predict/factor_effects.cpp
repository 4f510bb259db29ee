// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/factor_effects.h"

#include "core/model/base/term.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// A coded setting of one factor (categorical: index of the level).
struct FactorSetting {
    std::size_t factor = 0;
    double coded = 0.0;
};

/// The columns whose categorical factors are all set; the contrasts of the others average to 0.
double computeModelScale(const Fit& fit, const study::CodedPoint& point, const std::vector<bool>& isSet)
{
    double sum = 0.0;
    for (std::size_t j = 0; j < fit.columns.size(); ++j) {
        const Column& column = fit.columns[j];
        const bool isAveraged = std::ranges::any_of(
            factorsIn(column.term), [&](std::size_t i) { return !fit.factors[i].isNumeric() && !isSet[i]; });
        if (!isAveraged)
            sum += fit.beta[static_cast<Eigen::Index>(j)] * valueAt(column, point, fit.factors);
    }
    return sum;
}

/// The response where these factors are set and the others are at their center: numeric ones in the middle of
/// their range, categorical ones averaged over their levels (on the model's scale). Not a number where the
/// transform cannot be inverted.
double predictAtCenter(const Fit& fit, std::initializer_list<FactorSetting> settings)
{
    study::CodedPoint point(Eigen::VectorXd::Zero(std::ssize(fit.factors)));
    std::vector<bool> isSet(fit.factors.size());
    for (const FactorSetting& setting : settings) {
        point[static_cast<Eigen::Index>(setting.factor)] = setting.coded;
        isSet[setting.factor] = true;
    }
    const double modelScale = computeModelScale(fit, point, isSet);
    if (fit.transform.kind == study::TransformKind::None)
        return modelScale;
    // Beyond a pole, or on the other branch of a square, a value exists that is no prediction.
    const double own = invertTransform(fit.transform, modelScale);
    const std::optional<double> back =
        std::isfinite(own) ? applyTransform(fit.transform, own) : std::optional<double>();
    const double slack = 1e-6 * std::max(1.0, std::abs(modelScale));
    return back && std::abs(*back - modelScale) <= slack ? own : std::nan("");
}

/// The levels with the lowest and the highest response; both ends of a numeric factor.
void chooseEnds(const Fit& fit, EffectFacts& facts)
{
    const study::Factor& factor = fit.factors[facts.factor];
    if (factor.isNumeric())
        return;
    facts.low = 0.0;
    facts.high = 1.0;
    double least = INFINITY, most = -INFINITY;
    for (std::size_t level = 0; factor.categories.size() > 2 && level < factor.categories.size(); ++level) {
        const auto coded = static_cast<double>(level);
        const double value = predictAtCenter(fit, {{facts.factor, coded}});
        if (value < least)
            facts.low = coded;
        if (value > most)
            facts.high = coded;
        least = std::min(least, value);
        most = std::max(most, value);
    }
    if (facts.low == facts.high)
        facts.high = facts.low > 0.0 ? 0.0 : 1.0;
}

SimpleEffect changeAt(const Fit& fit, const EffectFacts& facts, double other)
{
    return {predictAtCenter(fit, {{facts.factor, facts.low}, {facts.other, other}}),
            predictAtCenter(fit, {{facts.factor, facts.high}, {facts.other, other}})};
}

/// Both ends of a numeric factor; of a category the levels with the least and the greatest change, in the
/// order of the levels.
void chooseOtherEnds(const Fit& fit, EffectFacts& facts)
{
    const study::Factor& other = fit.factors[facts.other];
    if (other.isNumeric())
        return;
    std::size_t least = 0, most = 0;
    std::vector<double> changes;
    for (std::size_t level = 0; level < other.categories.size(); ++level) {
        changes.push_back(changeAt(fit, facts, static_cast<double>(level)).change());
        least = changes[level] < changes[least] ? level : least;
        most = changes[level] > changes[most] ? level : most;
    }
    if (least == most)
        most = least + 1 < other.categories.size() ? least + 1 : 0;
    facts.otherLow = static_cast<double>(std::min(least, most));
    facts.otherHigh = static_cast<double>(std::max(least, most));
}

/// The numeric factor is moved, the category modifies; the first of two alike is moved.
void chooseFactors(const Fit& fit, const Term& term, EffectFacts& facts)
{
    const std::vector<std::size_t> factors = factorsIn(term);
    facts.factor = factors.front();
    facts.other = factors.back();
    if (factors.size() == 2 && !fit.factors[facts.factor].isNumeric() && fit.factors[facts.other].isNumeric())
        std::swap(facts.factor, facts.other);
}

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

std::string describeUnknownEffect(const Fit& fit, const EffectFacts& facts)
{
    if (fit.data == nullptr)
        return {};
    const Estimability& estimability = fit.data->estimability;
    for (const double other : {facts.otherLow, facts.otherHigh}) {
        study::CodedPoint low(Eigen::VectorXd::Zero(std::ssize(fit.factors)));
        if (facts.isInteraction())
            low[static_cast<Eigen::Index>(facts.other)] = other;
        study::CodedPoint high = low;
        low[static_cast<Eigen::Index>(facts.factor)] = facts.low;
        high[static_cast<Eigen::Index>(facts.factor)] = facts.high;
        if (estimability.isDifferenceEstimable(low, high))
            continue;
        const std::string unknown = estimability.describe(high);
        return unknown.empty() ? estimability.describe(low) : unknown;
    }
    return {};
}

std::optional<EffectFacts> findEffectFacts(const Fit& fit, const Term& term)
{
    const std::size_t factors = factorsIn(term).size();
    if (factors > 2 || term.degree() != static_cast<int>(factors))
        return std::nullopt;
    EffectFacts facts;
    chooseFactors(fit, term, facts);
    chooseEnds(fit, facts);
    if (facts.isInteraction()) {
        chooseOtherEnds(fit, facts);
        facts.effects = {changeAt(fit, facts, facts.otherLow), changeAt(fit, facts, facts.otherHigh)};
    } else {
        facts.effects = {{predictAtCenter(fit, {{facts.factor, facts.low}}),
                          predictAtCenter(fit, {{facts.factor, facts.high}})}};
    }
    const bool isKnown = std::ranges::all_of(
        facts.effects, [](const SimpleEffect& effect) { return std::isfinite(effect.change()); });
    return isKnown ? std::optional(facts) : std::nullopt;
}

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
