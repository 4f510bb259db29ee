// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/factor_effects.h"

#include "core/model/base/term.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// Changes that differ by less read as the same number (three significant digits).
constexpr double kSameChange = 0.01;

/// Part of the response's size below which a difference is rounding.
constexpr double kRounding = 1e-9;

/// Steps along a factor in which rising and falling are looked for.
constexpr int kShapeSteps = 200;

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
/// their range, categorical ones averaged over their levels (on the model's scale).
struct CenterPrediction {
    double modelScale = 0.0;
    std::optional<double> ownScale; ///< empty where the transform cannot be inverted
};

CenterPrediction predictAtCenter(const Fit& fit, std::initializer_list<FactorSetting> settings)
{
    study::CodedPoint point(Eigen::VectorXd::Zero(std::ssize(fit.factors)));
    std::vector<bool> isSet(fit.factors.size());
    for (const FactorSetting& setting : settings) {
        point[static_cast<Eigen::Index>(setting.factor)] = setting.coded;
        isSet[setting.factor] = true;
    }
    CenterPrediction prediction{computeModelScale(fit, point, isSet), {}};
    if (fit.transform.kind == study::TransformKind::None)
        prediction.ownScale = prediction.modelScale;
    else if (const double own = invertTransform(fit.transform, prediction.modelScale); std::isfinite(own)) {
        // Beyond a pole, or on the other branch of a square, a value exists that is no prediction.
        const std::optional<double> back = applyTransform(fit.transform, own);
        const double slack = 1e-6 * std::max(1.0, std::abs(prediction.modelScale));
        if (back && std::abs(*back - prediction.modelScale) <= slack)
            prediction.ownScale = own;
    }
    return prediction;
}

/// Predictions that are all on one scale: the response's own where all of them have it.
class Response {
public:
    Response(const Fit& fit, EffectFacts& facts)
        : m_fit(fit)
        , m_facts(facts)
    {
    }

    double at(std::initializer_list<FactorSetting> settings)
    {
        const CenterPrediction prediction = predictAtCenter(m_fit, settings);
        if (!m_facts.isOwnScale)
            return prediction.modelScale;
        if (!prediction.ownScale)
            m_lacksOwnScale = true;
        const double value = prediction.ownScale.value_or(0.0);
        m_size = std::max(m_size, std::abs(value));
        return value;
    }

    bool lacksOwnScale() const { return m_lacksOwnScale; }
    bool isRounding(double difference) const { return std::abs(difference) <= kRounding * m_size; }

private:
    const Fit& m_fit;
    EffectFacts& m_facts;
    bool m_lacksOwnScale = false;
    double m_size = 0.0;
};

Trend signTrend(const Response& response, double change)
{
    return response.isRounding(change) ? Trend::Flat : change < 0 ? Trend::Falls : Trend::Rises;
}

/// The levels with the lowest and the highest response; both ends of a numeric factor.
void chooseEnds(const Fit& fit, Response& response, EffectFacts& facts)
{
    const study::Factor& factor = fit.factors[facts.factor];
    if (factor.isNumeric())
        return;
    facts.low = 0.0;
    facts.high = 1.0;
    double least = INFINITY, most = -INFINITY;
    for (std::size_t level = 0; factor.categories.size() > 2 && level < factor.categories.size(); ++level) {
        const auto coded = static_cast<double>(level);
        const double value = response.at({{facts.factor, coded}});
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

void readChange(Response& response, EffectFacts& facts)
{
    facts.effects = {{response.at({{facts.factor, facts.low}}), response.at({{facts.factor, facts.high}})}};
    facts.trend = signTrend(response, facts.effects[0].change());
}

SimpleEffect changeAt(Response& response, const EffectFacts& facts, double other)
{
    return {response.at({{facts.factor, facts.low}, {facts.other, other}}),
            response.at({{facts.factor, facts.high}, {facts.other, other}})};
}

/// Both ends of a numeric factor; of a category the levels with the least and the greatest change, in the
/// order of the levels.
void chooseOtherEnds(const Fit& fit, Response& response, EffectFacts& facts)
{
    const study::Factor& other = fit.factors[facts.other];
    if (other.isNumeric())
        return;
    std::size_t least = 0, most = 0;
    std::vector<double> changes;
    for (std::size_t level = 0; level < other.categories.size(); ++level) {
        changes.push_back(changeAt(response, facts, static_cast<double>(level)).change());
        least = changes[level] < changes[least] ? level : least;
        most = changes[level] > changes[most] ? level : most;
    }
    if (least == most)
        most = least + 1 < other.categories.size() ? least + 1 : 0;
    facts.otherLow = static_cast<double>(std::min(least, most));
    facts.otherHigh = static_cast<double>(std::max(least, most));
}

Trend compareChanges(const Response& response, double first, double second, bool isOrdered)
{
    const bool isNoFirst = response.isRounding(first), isNoSecond = response.isRounding(second);
    if (!isNoFirst && !isNoSecond && (first < 0) != (second < 0))
        return Trend::Reverses;
    if ((isNoFirst && isNoSecond) ||
        std::abs(first - second) <= kSameChange * std::max(std::abs(first), std::abs(second)))
        return Trend::Same;
    if (!isOrdered)
        return Trend::Differs;
    return std::abs(second) > std::abs(first) ? Trend::Grows : Trend::Shrinks;
}

void readInteraction(const Fit& fit, Response& response, EffectFacts& facts)
{
    chooseOtherEnds(fit, response, facts);
    facts.effects = {changeAt(response, facts, facts.otherLow), changeAt(response, facts, facts.otherHigh)};
    facts.trend = compareChanges(response, facts.effects[0].change(), facts.effects[1].change(),
                                 fit.factors[facts.other].isNumeric());
}

void readCurve(Response& response, EffectFacts& facts)
{
    readChange(response, facts);
    facts.middle = response.at({{facts.factor, 0.0}});
    const double bend = facts.middle - (facts.effects[0].from + facts.effects[0].to) / 2.0;
    facts.trend = response.isRounding(bend) ? Trend::Straight : bend < 0 ? Trend::BendsUp : Trend::BendsDown;
}

/// Walks along the factor and keeps the ends and the points where the response turns.
void readShape(Response& response, EffectFacts& facts)
{
    readChange(response, facts);
    facts.turns = {{facts.factor, facts.low}};
    facts.turnValues = {facts.effects[0].from};
    double before = facts.effects[0].from, slope = 0.0;
    for (int step = 1; step <= kShapeSteps; ++step) {
        const double coded = facts.low + (facts.high - facts.low) * step / kShapeSteps;
        const double value = response.at({{facts.factor, coded}});
        const double rise = value - before;
        if (rise * slope < 0) {
            facts.turns.push_back({facts.factor, coded - (facts.high - facts.low) / kShapeSteps});
            facts.turnValues.push_back(before);
        }
        slope = rise != 0.0 ? rise : slope;
        before = value;
    }
    facts.turns.push_back({facts.factor, facts.high});
    facts.turnValues.push_back(before);
}

EffectKind kindOf(const Term& term)
{
    const std::size_t factors = factorsIn(term).size();
    if (factors == 1)
        return term.degree() == 1 ? EffectKind::Change
                                  : (term.degree() == 2 ? EffectKind::Curve : EffectKind::Shape);
    return factors == 2 && term.degree() == 2 ? EffectKind::Interaction : EffectKind::Joint;
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

/// False where a prediction has no value on the response's own scale.
bool readTerm(const Fit& fit, EffectFacts& facts)
{
    Response response(fit, facts);
    chooseEnds(fit, response, facts);
    if (facts.kind == EffectKind::Change)
        readChange(response, facts);
    else if (facts.kind == EffectKind::Interaction)
        readInteraction(fit, response, facts);
    else if (facts.kind == EffectKind::Curve)
        readCurve(response, facts);
    else if (facts.kind == EffectKind::Shape)
        readShape(response, facts);
    return !response.lacksOwnScale();
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
    if (fit.data == nullptr || facts.kind == EffectKind::Joint)
        return {};
    const Estimability& estimability = fit.data->estimability;
    for (const double other : {facts.otherLow, facts.otherHigh}) {
        study::CodedPoint low(Eigen::VectorXd::Zero(std::ssize(fit.factors)));
        if (facts.kind == EffectKind::Interaction)
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

EffectFacts findEffectFacts(const Fit& fit, const Term& term)
{
    EffectFacts facts;
    facts.kind = kindOf(term);
    chooseFactors(fit, term, facts);
    const EffectFacts untouched = facts;
    if (readTerm(fit, facts))
        return facts;
    facts = untouched;
    facts.isOwnScale = false;
    readTerm(fit, facts);
    return facts;
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
