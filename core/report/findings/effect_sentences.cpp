// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/effect_sentences.h"

#include "core/report/catalogue.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/study/coding.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

using model::EffectFacts;
using model::Fit;
using model::SimpleEffect;
using model::Trend;

constexpr auto kTypeset = text::Typography::Typeset;
constexpr int kAmountDigits = 3;
constexpr int kSettingDigits = 6;

std::string levelText(const Fit& fit, std::size_t factor, double coded)
{
    const study::Factor& each = fit.factors[factor];
    if (!each.isNumeric())
        return each.categories[static_cast<std::size_t>(coded)];
    const double actual = study::Coding(fit.factors).toActual(factor, coded);
    return text::formatDigits(actual, kSettingDigits, kTypeset);
}

std::string withFactorUnit(const Fit& fit, std::size_t factor, const std::string& level)
{
    const std::string& unit = fit.factors[factor].unit;
    return level + (unit.empty() ? "" : " " + unit);
}

/// Three significant digits, the whole part too: "15 900".
std::string roundedText(double size)
{
    if (size == 0.0 || !std::isfinite(size))
        return text::formatDigits(size, kAmountDigits, kTypeset);
    const double unit = std::pow(10.0, std::floor(std::log10(size)) - kAmountDigits + 1);
    return text::formatDigits(unit < 1.0 ? size : std::round(size / unit) * unit, kAmountDigits, kTypeset);
}

/// "12 img/s"; a change of a percentage is in percentage points, one on the model's scale has no unit.
std::string amountText(const Fit& fit, const EffectFacts& facts, double change)
{
    std::string amount = roundedText(std::abs(change));
    if (!facts.isOwnScale || fit.unit.empty())
        return amount;
    return amount + " " + (fit.unit == "%" ? std::string(catalogue::kPercentagePoints) : fit.unit);
}

/// "speed"; "the sqrt of speed" where only the model's scale has values.
std::string responseText(const Fit& fit, const EffectFacts& facts)
{
    if (facts.isOwnScale)
        return fit.response;
    return fill(catalogue::kOnModelScale,
                {{"transform", study::nameOf(fit.transform)}, {"response", fit.response}});
}

std::string changeText(const Fit& fit, const EffectFacts& facts, const SimpleEffect& effect, Trend trend)
{
    const std::string response = responseText(fit, facts);
    if (trend == Trend::Flat)
        return fill(catalogue::kKeeps, {{"response", response}});
    return fill(trend == Trend::Falls ? catalogue::kLowers : catalogue::kRaises,
                {{"response", response}, {"amount", amountText(fit, facts, effect.change())}});
}

/// Of a logarithm the ratio, which is the same wherever the other factors are.
std::string mainChangeText(const Fit& fit, const EffectFacts& facts)
{
    const SimpleEffect& effect = facts.effects.front();
    if (fit.transform.kind != study::TransformKind::Log || !facts.isOwnScale)
        return changeText(fit, facts, effect, facts.trend);
    return fill(catalogue::kMultiplies,
                {{"response", fit.response}, {"amount", roundedText(effect.to / effect.from)}});
}

std::string describeChange(const Fit& fit, const EffectFacts& facts)
{
    const bool isChosen =
        !fit.factors[facts.factor].isNumeric() && fit.factors[facts.factor].categories.size() > 2;
    const std::string low = levelText(fit, facts.factor, facts.low);
    const std::string high = levelText(fit, facts.factor, facts.high);
    return fill(isChosen ? catalogue::kLevelEffect : catalogue::kMainEffect,
                {{"factor", fit.factors[facts.factor].name},
                 {"response", responseText(fit, facts)},
                 {"low", low},
                 {"high", isChosen ? high : withFactorUnit(fit, facts.factor, high)},
                 {"change", mainChangeText(fit, facts)}});
}

std::string_view trendPattern(Trend trend)
{
    if (trend == Trend::Grows)
        return catalogue::kGrowingEffect;
    if (trend == Trend::Shrinks)
        return catalogue::kShrinkingEffect;
    if (trend == Trend::Reverses)
        return catalogue::kReversingEffect;
    return trend == Trend::Same ? catalogue::kEvenEffect : catalogue::kDependentEffect;
}

/// By the sign; no change where the amount would read as 0.
Trend directionOf(const EffectFacts& facts, const SimpleEffect& effect)
{
    const double size = std::max(std::abs(effect.from), std::abs(effect.to));
    if (facts.trend != Trend::Reverses && std::abs(effect.change()) <= 1e-9 * size)
        return Trend::Flat;
    return effect.change() < 0 ? Trend::Falls : Trend::Rises;
}

std::string describeInteraction(const Fit& fit, const EffectFacts& facts)
{
    const std::string& factor = fit.factors[facts.factor].name;
    const std::string& other = fit.factors[facts.other].name;
    const SimpleEffect& first = facts.effects[0];
    const SimpleEffect& second = facts.effects[1];
    const Trend before = directionOf(facts, first), after = directionOf(facts, second);
    const std::string again =
        before == after && after != Trend::Flat
            ? fill(catalogue::kAgain, {{"amount", amountText(fit, facts, second.change())}})
            : changeText(fit, facts, second, after);
    return fill(catalogue::kInteraction,
                {{"factor", factor},
                 {"other", other},
                 {"low", levelText(fit, facts.factor, facts.low)},
                 {"high", withFactorUnit(fit, facts.factor, levelText(fit, facts.factor, facts.high))},
                 {"other low", levelText(fit, facts.other, facts.otherLow)},
                 {"other high", levelText(fit, facts.other, facts.otherHigh)},
                 {"first", changeText(fit, facts, first, before)},
                 {"second", again},
                 {"trend", fill(trendPattern(facts.trend), {{"factor", factor}, {"other", other}})}});
}

std::string describeCurve(const Fit& fit, const EffectFacts& facts)
{
    const study::Factor& factor = fit.factors[facts.factor];
    const SimpleEffect& ends = facts.effects.front();
    const double bend = facts.middle - (ends.from + ends.to) / 2.0;
    std::string middle = withFactorUnit(fit, facts.factor, levelText(fit, facts.factor, 0.0));
    if (factor.scale == study::Scale::Log2)
        middle = fill(catalogue::kOnLog2Axis, {{"middle", middle}});
    const std::string_view pattern = facts.trend == Trend::BendsUp     ? catalogue::kCurvedUp
                                     : facts.trend == Trend::BendsDown ? catalogue::kCurvedDown
                                                                       : catalogue::kStraight;
    return fill(pattern, {{"response", responseText(fit, facts)},
                          {"factor", factor.name},
                          {"middle", middle},
                          {"amount", amountText(fit, facts, bend)}});
}

/// "rises from −1 to −0.4, falls to 0.5 and rises to 1".
std::string describeSegments(const Fit& fit, const EffectFacts& facts)
{
    std::vector<std::string> segments;
    for (std::size_t i = 1; i < facts.turns.size(); ++i) {
        const double change = facts.turnValues[i] - facts.turnValues[i - 1];
        segments.push_back(fill(i == 1 ? catalogue::kFirstSegment : catalogue::kNextSegment,
                                {{"moves", change < 0 ? "falls" : "rises"},
                                 {"from", levelText(fit, facts.factor, facts.turns[i - 1].coded)},
                                 {"to", levelText(fit, facts.factor, facts.turns[i].coded)}}));
    }
    return text::formatList(segments);
}

} // namespace

std::string describeEffect(const Fit& fit, const model::Term& term, const EffectFacts& facts)
{
    switch (facts.kind) {
    case model::EffectKind::Change:
        return describeChange(fit, facts);
    case model::EffectKind::Interaction:
        return describeInteraction(fit, facts);
    case model::EffectKind::Curve:
        return describeCurve(fit, facts);
    case model::EffectKind::Shape:
        return fill(catalogue::kShape, {{"response", responseText(fit, facts)},
                                        {"factor", fit.factors[facts.factor].name},
                                        {"segments", describeSegments(fit, facts)},
                                        {"degree", std::to_string(term.degree())}});
    case model::EffectKind::Joint:
        break;
    }
    return fill(catalogue::kJointEffect, {{"term", text::formatTerm(nameOf(term, fit.factors), kTypeset)}});
}

} // namespace quadric::report
