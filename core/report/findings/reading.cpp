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

/// Three significant digits, the whole part too: "15 900".
std::string roundedText(double size)
{
    if (size == 0.0 || !std::isfinite(size))
        return text::formatDigits(size, kAmountDigits, kTypeset);
    const double unit = std::pow(10.0, std::floor(std::log10(size)) - kAmountDigits + 1);
    return text::formatDigits(unit < 1.0 ? size : std::round(size / unit) * unit, kAmountDigits, kTypeset);
}

/// "12 img/s"; a change of a percentage is in percentage points.
std::string amountText(const Fit& fit, double change)
{
    std::string amount = roundedText(std::abs(change));
    if (fit.unit.empty())
        return amount;
    return amount + " " + (fit.unit == "%" ? std::string(catalogue::kPercentagePoints) : fit.unit);
}

/// No change where the amount would read as 0.
std::string changeText(const Fit& fit, const SimpleEffect& effect)
{
    const double change = effect.change();
    if (std::abs(change) <= 1e-9 * std::max(std::abs(effect.from), std::abs(effect.to)))
        return fill(catalogue::kKeeps, {{"response", fit.response}});
    return fill(change < 0 ? catalogue::kLowers : catalogue::kRaises,
                {{"response", fit.response}, {"amount", amountText(fit, change)}});
}

/// Of a logarithm the ratio, which is the same wherever the other factors are.
std::string mainChangeText(const Fit& fit, const SimpleEffect& effect)
{
    if (fit.transform.kind != study::TransformKind::Log)
        return changeText(fit, effect);
    return fill(catalogue::kMultiplies,
                {{"response", fit.response}, {"amount", roundedText(effect.to / effect.from)}});
}

std::string modelSentence(const Fit& fit)
{
    if (const std::optional<Finding> finding = checkSignificance(fit))
        return finding->sentence;
    return std::string(model::rowOf(fit, "Model") == nullptr ? catalogue::kMeanModel
                                                             : catalogue::kUntestedModel);
}

using model::Significance;
using model::Term;
using Sentences = std::vector<std::string>;

/// Most terms that get a sentence of their own.
constexpr std::size_t kMostSentences = 5;

/// Most terms that a sentence names as aliases.
constexpr std::size_t kMostAliases = 6;

/// Terms of the fit by how they compare with chance, the largest effect first.
struct Ranking {
    std::vector<const Term*> family, alone, idle;
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
    for (const model::RankedEffect& effect : model::rankEffects(fit)) {
        const double size = std::abs(fit.effects[effect.index].effect);
        const bool isCertain = isExact(fit) && size > kNoEffect * largest;
        std::vector<const Term*>& list = isCertain || effect.significance == Significance::Family
                                             ? ranking.family
                                         : effect.significance == Significance::Alone ? ranking.alone
                                                                                      : ranking.idle;
        list.push_back(terms[effect.index]);
    }
    return ranking;
}

std::string nameTerms(const Fit& fit, const std::vector<const Term*>& terms)
{
    Sentences names;
    for (const Term* term : terms)
        names.push_back(nameOf(*term, fit.factors));
    return listTerms(std::move(names));
}

/// Terms outside the model that the estimate contains, as a clause.
std::string describeAliases(const Fit& fit, const std::vector<Term>& aliases)
{
    if (aliases.empty())
        return {};
    Sentences names;
    for (std::size_t i = 0; i < std::min(aliases.size(), kMostAliases); ++i)
        names.push_back(nameOf(aliases[i], fit.factors));
    if (aliases.size() > kMostAliases)
        names.push_back(text::formatCount(aliases.size() - kMostAliases, "more term"));
    return fill(catalogue::kAliasedEffect, {{"terms", listTerms(std::move(names))}});
}

void addTermList(std::string_view pattern, const Fit& fit, const std::vector<const Term*>& terms,
                 Sentences& sentences)
{
    if (!terms.empty())
        sentences.push_back(fill(pattern, {{"terms", nameTerms(fit, terms)},
                                           {"level", text::formatPercent(1.0 - fit.confidence)},
                                           {"n", std::to_string(fit.effects.size())}}));
}

/// A sentence each for the largest factors and interactions, then the others by name.
void readSignificant(const Fit& fit, const std::vector<const Term*>& terms, Sentences& sentences)
{
    const std::vector<std::vector<Term>> aliases = model::findTermAliases(fit);
    std::vector<const Term*> others;
    for (const Term* term : terms) {
        const std::optional<EffectFacts> facts = model::findEffectFacts(fit, *term);
        if (!facts || sentences.size() == kMostSentences) {
            others.push_back(term);
            continue;
        }
        const auto place = static_cast<std::size_t>(term - fit.terms.data());
        const std::string unknown = model::describeUnknownEffect(fit, *facts);
        if (unknown.empty())
            sentences.push_back(describeEffect(fit, *facts) + describeAliases(fit, aliases[place]) + ".");
        else if (std::ranges::find(sentences, unknown) == sentences.end())
            sentences.push_back(unknown);
    }
    addTermList(sentences.empty() ? catalogue::kSignificantTerms : catalogue::kFurtherTerms, fit, others,
                sentences);
}

} // namespace

std::string describeEffect(const Fit& fit, const EffectFacts& facts)
{
    const std::string& unit = fit.factors[facts.factor].unit;
    const std::string low = levelText(fit, facts.factor, facts.low);
    const std::string high = levelText(fit, facts.factor, facts.high) + (unit.empty() ? "" : " " + unit);
    if (!facts.isInteraction())
        return fill(catalogue::kMainEffect, {{"factor", fit.factors[facts.factor].name},
                                             {"low", low},
                                             {"high", high},
                                             {"change", mainChangeText(fit, facts.effects[0])}});
    return fill(catalogue::kInteraction, {{"factor", fit.factors[facts.factor].name},
                                          {"other", fit.factors[facts.other].name},
                                          {"low", low},
                                          {"high", high},
                                          {"other low", levelText(fit, facts.other, facts.otherLow)},
                                          {"other high", levelText(fit, facts.other, facts.otherHigh)},
                                          {"first", changeText(fit, facts.effects[0])},
                                          {"second", changeText(fit, facts.effects[1])}});
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
    if (const std::optional<Finding> finding = checkLackOfFit(fit))
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
        sentences.push_back(checkSignificance(fit)->sentence);
    else if (ranking.family.empty() && ranking.alone.empty() && !ranking.idle.empty())
        sentences.emplace_back(catalogue::kNoEffect);
    addTermList(catalogue::kLoneEffects, fit, ranking.alone, sentences);
    if (!isExact(fit) && (!ranking.family.empty() || !ranking.alone.empty()))
        addTermList(catalogue::kIdleTerms, fit, ranking.idle, sentences);
    if (const std::optional<Finding> finding = checkAliases(fit))
        sentences.push_back(finding->sentence);
    return sentences;
}

} // namespace quadric::report
