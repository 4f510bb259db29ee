// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/reading.h"

#include "core/model/fit/thresholds.h"
#include "core/report/catalogue.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

namespace {

using model::AnovaRow;
using model::Effect;
using model::Fit;
using model::Term;

/// Most terms that get a sentence of their own.
constexpr std::size_t kMostTerms = 5;

/// Name of a group of terms in the middle of a sentence; empty for rows that are no group.
std::string groupName(const std::string& source)
{
    if (source == "Linear")
        return "main effects";
    if (source == "Quadratic")
        return "quadratic effects";
    if (source == "Cubic")
        return "cubic effects";
    return source.ends_with("nteractions") ? "interactions" : "";
}

std::string modelSentence(const Fit& fit)
{
    if (const std::optional<Finding> finding = significanceFinding(fit))
        return finding->sentence;
    return std::string(model::rowOf(fit, "Model") == nullptr ? catalogue::kMeanModel
                                                             : catalogue::kUntestedModel);
}

/// Groups of terms that are significant, and those that are not.
void readGroups(const Fit& fit, std::vector<std::string>& sentences)
{
    std::vector<std::string> active, idle;
    for (const AnovaRow& row : fit.anova) {
        const std::string name = groupName(row.source);
        if (!name.empty() && row.p)
            (*row.p < model::kSignificance ? active : idle).push_back(name);
    }
    if (!active.empty())
        sentences.push_back(fill(catalogue::kActiveGroups, {{"groups", text::formatList(active)}}));
    if (!idle.empty())
        sentences.push_back(fill(catalogue::kIdleGroups, {{"groups", text::formatList(idle)}}));
    const AnovaRow* blocks = model::rowOf(fit, "Blocks");
    if (blocks != nullptr && blocks->p && *blocks->p < model::kSignificance)
        sentences.push_back(fill(catalogue::kBlocks, {{"p", text::formatPClause(*blocks->p)}}));
}

/// " img/s"; a change of a percentage is in percentage points.
std::string changeUnit(const Fit& fit)
{
    if (fit.unit.empty())
        return "";
    return " " + (fit.unit == "%" ? std::string(catalogue::kPercentagePoints) : fit.unit);
}

/// "raises speed by 12 img/s"; of a logarithm "multiplies speed by 1.8".
std::string changeClause(const Fit& fit, double change)
{
    const std::string amount = text::formatBriefly(std::abs(change));
    if (fit.transform.kind == study::TransformKind::None)
        return fill(change < 0 ? catalogue::kLowers : catalogue::kRaises,
                    {{"response", fit.response}, {"amount", amount + changeUnit(fit)}});
    if (fit.transform.kind == study::TransformKind::Log)
        return fill(catalogue::kMultiplies,
                    {{"response", fit.response}, {"amount", text::formatBriefly(std::exp(change))}});
    return fill(
        change < 0 ? catalogue::kLowersTransformed : catalogue::kRaisesTransformed,
        {{"transform", study::nameOf(fit.transform)}, {"response", fit.response}, {"amount", amount}});
}

std::string mainEffectSentence(const Fit& fit, const study::Factor& factor, double effect)
{
    const std::string change = changeClause(fit, effect);
    const std::string unit = factor.unit.empty() ? "" : " " + factor.unit;
    if (factor.isNumeric())
        return fill(catalogue::kMainEffect, {{"factor", factor.name},
                                             {"low", study::toText(factor.low)},
                                             {"high", study::toText(factor.high) + unit},
                                             {"change", change}});
    if (factor.categories.size() == 2)
        return fill(catalogue::kMainEffect, {{"factor", factor.name},
                                             {"low", factor.categories[0]},
                                             {"high", factor.categories[1]},
                                             {"change", change}});
    return fill(catalogue::kLevelEffect, {{"factor", factor.name}, {"change", change}});
}

/// The effect of the first factor grows with the second where both effects have the same sign.
std::string interactionSentence(const Fit& fit, const study::Factor& first, const study::Factor& second,
                                double effect)
{
    const auto main = std::ranges::find(fit.effects, first.name, &Effect::term);
    const bool isOrdered = first.isNumeric() && second.isNumeric() && main != fit.effects.end();
    const std::string_view pattern = !isOrdered                  ? catalogue::kDependentEffect
                                     : main->effect * effect > 0 ? catalogue::kGrowingEffect
                                                                 : catalogue::kShrinkingEffect;
    return fill(pattern, {{"factor", first.name}, {"other", second.name}});
}

/// Factors of a term with a power above 0.
std::vector<std::size_t> factorsOf(const Term& term)
{
    std::vector<std::size_t> factors;
    for (std::size_t i = 0; i < term.powers.size(); ++i) {
        if (term.powers[i] > 0)
            factors.push_back(i);
    }
    return factors;
}

std::string effectSentence(const Fit& fit, const Term& term, double effect)
{
    const std::vector<std::size_t> factors = factorsOf(term);
    const study::Factor& first = fit.factors[factors.front()];
    if (term.degree() == 1)
        return mainEffectSentence(fit, first, effect);
    if (term.degree() == 2 && factors.size() == 2)
        return interactionSentence(fit, first, fit.factors[factors[1]], effect);
    if (factors.size() > 1)
        return fill(catalogue::kJointEffect, {{"term", nameOf(term, fit.factors)}});
    const std::string_view curve = effect < 0 ? catalogue::kCurvedDown : catalogue::kCurvedUp;
    return fill(
        term.degree() == 2 ? curve : catalogue::kHigherDegree,
        {{"response", fit.response}, {"factor", first.name}, {"degree", std::to_string(term.degree())}});
}

const Term* findTerm(const Fit& fit, const std::string& name)
{
    const auto term =
        std::ranges::find_if(fit.terms, [&](const Term& each) { return nameOf(each, fit.factors) == name; });
    return term == fit.terms.end() ? nullptr : &*term;
}

bool isActive(const Fit& fit, const Effect& effect)
{
    if (fit.effectLimit.method == "lenth")
        return std::abs(effect.effect) > fit.effectLimit.value;
    return effect.p && *effect.p < 1 - fit.confidence;
}

void readActive(const Fit& fit, std::vector<Effect> active, std::vector<std::string>& sentences)
{
    std::ranges::stable_sort(active, std::greater{},
                             [](const Effect& effect) { return std::abs(effect.effect); });
    for (std::size_t i = 0; i < active.size() && i < kMostTerms; ++i) {
        if (const Term* term = findTerm(fit, active[i].term))
            sentences.push_back(effectSentence(fit, *term, active[i].effect));
    }
    if (active.size() > kMostTerms) {
        const std::size_t further = active.size() - kMostTerms;
        sentences.push_back(fill(catalogue::kFurtherTerms, {{"n", std::to_string(further)}}, further));
    }
}

} // namespace

std::vector<std::string> readAnova(const Fit& fit)
{
    if (!fit.isOk())
        return {fit.message};
    std::vector<std::string> sentences{modelSentence(fit)};
    if (!fit.r2)
        return sentences;
    readGroups(fit, sentences);
    if (const std::optional<Finding> finding = lackOfFitFinding(fit))
        sentences.push_back(finding->sentence);
    return sentences;
}

std::vector<std::string> readCoefficients(const Fit& fit)
{
    if (!fit.isOk())
        return {fit.message};
    std::vector<Effect> active;
    std::vector<std::string> idle, sentences;
    for (const Effect& effect : fit.effects) {
        if (isActive(fit, effect))
            active.push_back(effect);
        else
            idle.push_back(effect.term);
    }
    readActive(fit, active, sentences);
    if (active.empty() && !idle.empty())
        sentences.emplace_back(catalogue::kNoEffect);
    else if (!idle.empty())
        sentences.push_back(fill(catalogue::kIdleTerms, {{"terms", text::formatList(idle)}}));
    if (const std::optional<Finding> finding = aliasFinding(fit))
        sentences.push_back(finding->sentence);
    return sentences;
}

} // namespace quadric::report
