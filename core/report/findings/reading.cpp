// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/reading.h"

#include "core/model/base/term.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/effects.h"
#include "core/model/select/fit_checks.h"
#include "core/model/select/term_choice.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/finding.h"
#include "core/report/findings/fit_findings.h"
#include "core/study/factor.h"
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

std::string modelSentence(const Fit& fit)
{
    if (const std::optional<Finding> finding = significanceFinding(fit))
        return finding->sentence;
    return std::string(model::rowOf(fit, "Model") == nullptr ? catalogue::kMeanModel
                                                             : catalogue::kUntestedModel);
}

using model::Significance;
using model::Term;
using Sentences = std::vector<std::string>;

/// Most terms that get a sentence of their own.
constexpr std::size_t kMostTerms = 5;

/// Most terms that a sentence names as aliases.
constexpr std::size_t kMostAliases = 6;

/// Terms of the fit by how they compare with chance, the largest effect first.
struct Ranking {
    std::vector<const Term*> family, alone, contained, idle;
};

/// The term that an effect is of; effects have the order of the terms without the intercept.
std::vector<const Term*> termsOfEffects(const Fit& fit)
{
    std::vector<const Term*> terms;
    for (const Term& term : fit.terms)
        if (!term.isIntercept())
            terms.push_back(&term);
    return terms;
}

bool isContained(const Term& term, const Ranking& ranking)
{
    const auto contains = [&](const Term* each) { return isParent(term, *each); };
    return std::ranges::any_of(ranking.family, contains) || std::ranges::any_of(ranking.alone, contains);
}

/// A part of the largest effect that rounding leaves of none.
constexpr double kNoEffect = 1e-9;

/// No error is left to test against: every effect that is there is certain.
bool isExact(const Fit& fit)
{
    return fit.r2 && fit.dfResidual > 0 && fit.sigma == 0.0;
}

Ranking rankTerms(const Fit& fit)
{
    const std::vector<const Term*> terms = termsOfEffects(fit);
    double largest = 0.0;
    for (const model::Effect& effect : fit.effects)
        largest = std::max(largest, std::abs(effect.effect));
    Ranking ranking;
    std::vector<const Term*> rest;
    for (const model::RankedEffect& effect : model::rankEffects(fit)) {
        const double size = std::abs(fit.effects[effect.index].effect);
        const bool isCertain = isExact(fit) && size > kNoEffect * largest;
        std::vector<const Term*>& list = isCertain || effect.significance == Significance::Family
                                             ? ranking.family
                                         : effect.significance == Significance::Alone ? ranking.alone
                                                                                      : rest;
        list.push_back(terms[effect.index]);
    }
    for (const Term* term : rest)
        (isContained(*term, ranking) ? ranking.contained : ranking.idle).push_back(term);
    return ranking;
}

std::string nameTerm(const Fit& fit, const Term& term)
{
    return text::formatTerm(nameOf(term, fit.factors), text::Typography::Typeset);
}

std::string listTerms(const Fit& fit, const std::vector<const Term*>& terms)
{
    Sentences names;
    for (const Term* term : terms)
        names.push_back(nameTerm(fit, *term));
    return text::formatList(names);
}

std::string describeAliases(const Fit& fit, const model::TermAliases& aliases)
{
    Sentences names;
    for (const Term& term : aliases.whole)
        if (names.size() < kMostAliases)
            names.push_back(nameTerm(fit, term));
    if (aliases.whole.size() > kMostAliases)
        names.push_back(text::formatCount(aliases.whole.size() - kMostAliases, "more term"));
    std::string text;
    if (!names.empty())
        text = fill(catalogue::kAliasedEffect, {{"terms", text::formatList(names)}});
    if (aliases.partial > 0)
        text += fill(catalogue::kPartlyAliasedEffect, {{"n", std::to_string(aliases.partial)}},
                     static_cast<std::size_t>(aliases.partial));
    return text;
}

void readSignificant(const Fit& fit, const std::vector<const Term*>& terms, Sentences& sentences)
{
    const std::vector<model::TermAliases> aliases = model::findTermAliases(fit);
    for (std::size_t i = 0; i < terms.size() && i < kMostTerms; ++i) {
        const auto place = static_cast<std::size_t>(terms[i] - fit.terms.data());
        const EffectFacts facts = model::findEffectFacts(fit, *terms[i]);
        // On its own scale a response can bend the other way than on that of its model.
        if (facts.kind == model::EffectKind::Curve && fit.transform.kind != study::TransformKind::None)
            continue;
        const std::string unknown = model::describeUnknownEffect(fit, facts);
        if (unknown.empty())
            sentences.push_back(describeEffect(fit, *terms[i], facts) + describeAliases(fit, aliases[place]) +
                                ".");
        else if (std::ranges::find(sentences, unknown) == sentences.end())
            sentences.push_back(unknown);
    }
    if (terms.size() > kMostTerms) {
        const std::size_t further = terms.size() - kMostTerms;
        sentences.push_back(fill(catalogue::kFurtherTerms, {{"n", std::to_string(further)}}, further));
    }
}

void addTermList(std::string_view pattern, const Fit& fit, const std::vector<const Term*>& terms,
                 Sentences& sentences)
{
    if (!terms.empty())
        sentences.push_back(fill(pattern, {{"terms", listTerms(fit, terms)},
                                           {"level", text::formatPercent(1.0 - fit.confidence)},
                                           {"n", std::to_string(fit.effects.size())}}));
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

std::vector<std::string> readAnova(const Fit& fit)
{
    if (!fit.isOk())
        return {fit.message};
    std::vector<std::string> sentences{modelSentence(fit)};
    if (!fit.r2)
        return sentences;
    const std::optional<double> blocks = model::testBlocks(fit);
    if (blocks && *blocks < model::kSignificance)
        sentences.push_back(fill(catalogue::kBlocks, {{"p", text::formatPClause(*blocks)}}));
    if (const std::optional<Finding> finding = lackOfFitFinding(fit))
        sentences.push_back(finding->sentence);
    return sentences;
}

std::vector<std::string> readCoefficients(const Fit& fit)
{
    if (!fit.isOk())
        return {fit.message};
    const Ranking ranking = rankTerms(fit);
    Sentences sentences;
    readSignificant(fit, ranking.family, sentences);
    if (isExact(fit))
        sentences.push_back(significanceFinding(fit)->sentence);
    else if (ranking.family.empty() && ranking.alone.empty() && !ranking.idle.empty())
        sentences.emplace_back(catalogue::kNoEffect);
    else if (ranking.family.empty() && !ranking.alone.empty())
        sentences.push_back(fill(catalogue::kNoEffectOfAll, {{"n", std::to_string(fit.effects.size())}}));
    addTermList(catalogue::kLoneEffects, fit, ranking.alone, sentences);
    addTermList(catalogue::kContainedTerms, fit, ranking.contained, sentences);
    if (!isExact(fit) && (!ranking.family.empty() || !ranking.alone.empty()))
        addTermList(catalogue::kIdleTerms, fit, ranking.idle, sentences);
    if (const std::optional<Finding> finding = aliasFinding(fit))
        sentences.push_back(finding->sentence);
    return sentences;
}

} // namespace quadric::report
