// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/effect_ranking.h"
#include "core/model/select/term_aliases.h"
#include "core/report/catalogue.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/findings/effect_sentences.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/reading.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

using model::Fit;
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

Ranking rankTerms(const Fit& fit)
{
    const std::vector<const Term*> terms = termsOfEffects(fit);
    Ranking ranking;
    std::vector<const Term*> rest;
    for (const model::RankedEffect& effect : model::rankEffects(fit)) {
        std::vector<const Term*>& list = effect.significance == Significance::Family  ? ranking.family
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
        sentences.push_back(describeEffect(fit, *terms[i], model::findEffectFacts(fit, *terms[i])) +
                            describeAliases(fit, aliases[place]) + ".");
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

std::vector<std::string> readCoefficients(const Fit& fit)
{
    if (!fit.isOk())
        return {fit.message};
    const Ranking ranking = rankTerms(fit);
    Sentences sentences;
    readSignificant(fit, ranking.family, sentences);
    if (ranking.family.empty() && ranking.alone.empty() && !ranking.idle.empty())
        sentences.emplace_back(catalogue::kNoEffect);
    else if (ranking.family.empty() && !ranking.alone.empty())
        sentences.push_back(fill(catalogue::kNoEffectOfAll, {{"n", std::to_string(fit.effects.size())}}));
    addTermList(catalogue::kLoneEffects, fit, ranking.alone, sentences);
    addTermList(catalogue::kContainedTerms, fit, ranking.contained, sentences);
    if (!ranking.family.empty() || !ranking.alone.empty())
        addTermList(catalogue::kIdleTerms, fit, ranking.idle, sentences);
    if (const std::optional<Finding> finding = aliasFinding(fit))
        sentences.push_back(finding->sentence);
    return sentences;
}

} // namespace quadric::report
