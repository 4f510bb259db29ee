// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reading.h"
#include "core/model/thresholds.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// Most terms that get a sentence of their own.
constexpr std::size_t kMostTerms = 5;

bool isSignificant(const AnovaRow& row)
{
    return row.p && *row.p < kSignificance;
}

std::string wordsForGroup(const std::string& source)
{
    if (source == "Linear")
        return "the factors by themselves";
    if (source == "Interactions")
        return "factors acting together (interactions)";
    if (source == "Quadratic")
        return "curvature (squares)";
    return source == "Blocks" ? "the blocks" : "terms of the group '" + source + "'";
}

std::string modelSentence(const Fit& fit, const AnovaRow& model)
{
    if (!model.p)
        return "Whether the factors explain " + fit.response +
               " cannot be tested, because nothing is left to estimate the error.";
    if (!isSignificant(model))
        return "The factors do not explain " + fit.response + " better than chance would (" +
               text::formatPClause(*model.p) + ").";
    std::string text =
        "The factors explain " + fit.response + " far beyond chance (" + text::formatPClause(*model.p) + ")";
    if (fit.r2)
        text +=
            ": the model accounts for " + text::formatPercent(*fit.r2) + " of the variation between the runs";
    return text + ".";
}

/// Groups of terms that matter, and those that do not.
void readGroups(const Fit& fit, std::vector<std::string>& sentences)
{
    std::vector<std::string> active, idle;
    for (const AnovaRow& row : fit.anova) {
        const bool isGroup = row.source == "Linear" || row.source == "Quadratic" ||
                             row.source.ends_with("nteractions") || row.source == "Cubic";
        if (isGroup && row.p)
            (isSignificant(row) ? active : idle).push_back(wordsForGroup(row.source));
    }
    if (!active.empty())
        sentences.push_back("What matters: " + text::formatList(active) + ".");
    if (!idle.empty())
        sentences.push_back("No visible part: " + text::formatList(idle) +
                            "; a smaller model may predict as well.");
    if (const AnovaRow* blocks = rowOf(fit, "Blocks"); blocks != nullptr && isSignificant(*blocks))
        sentences.push_back("The blocks differ from one another (" + text::formatPClause(*blocks->p) +
                            "); their difference is taken out of everything else.");
}

void readError(const Fit& fit, std::vector<std::string>& sentences)
{
    const AnovaRow* lack = rowOf(fit, "Lack of fit");
    const AnovaRow* pure = rowOf(fit, "Pure error");
    if (fit.dfResidual == 0)
        sentences.push_back(
            "The model passes through every run exactly, so there is no error to judge it by.");
    else if (pure == nullptr)
        sentences.push_back(
            "No setting was repeated, so it cannot be seen whether the model misses something.");
    else if (pure->ss <= 0)
        sentences.push_back(
            "Repeated runs agree exactly, which measured runs never do, so lack of fit cannot be "
            "tested.");
    else if (lack != nullptr && lack->p)
        sentences.push_back(
            isSignificant(*lack)
                ? "The model misses something: runs lie farther from it than repeated runs lie "
                  "from one another (" +
                      text::formatPClause(*lack->p) + ")."
                : "The model misses nothing that can be seen: runs lie no farther from it than "
                  "repeated runs lie from one another (" +
                      text::formatPClause(*lack->p) + ").");
}

std::string amountWords(const Fit& fit, double change)
{
    const std::string unit = fit.unit.empty() ? "" : " " + fit.unit;
    if (fit.transform.kind == study::TransformKind::None)
        return (change < 0 ? "lowers " : "raises ") + fit.response + " by " +
               text::formatBriefly(std::abs(change)) + unit;
    if (fit.transform.kind == study::TransformKind::Log)
        return "multiplies " + fit.response + " by " + text::formatBriefly(std::exp(change));
    return (change < 0 ? "lowers the " : "raises the ") + study::nameOf(fit.transform) + " of " +
           fit.response + " by " + text::formatBriefly(std::abs(change));
}

const Term* termNamed(const Fit& fit, const std::string& name)
{
    const auto term =
        std::ranges::find_if(fit.terms, [&](const Term& each) { return nameOf(each, fit.factors) == name; });
    return term == fit.terms.end() ? nullptr : &*term;
}

std::string levelWords(const study::Factor& factor)
{
    const std::string unit = factor.unit.empty() ? "" : " " + factor.unit;
    if (factor.isNumeric())
        return factor.name + " from " + study::toText(factor.low) + " to " + study::toText(factor.high) +
               unit;
    return factor.name + (factor.categories.size() == 2
                              ? " from " + factor.categories[0] + " to " + factor.categories[1]
                              : " between its levels");
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
        return "Moving " + levelWords(first) + " " + amountWords(fit, effect) +
               ", the others at their centre.";
    if (term.degree() == 2 && factors.size() == 1)
        return std::string("Along ") + first.name + " the response bends " + (effect < 0 ? "down" : "up") +
               ": in the middle it lies " + (effect < 0 ? "above" : "below") +
               " the straight line between both ends.";
    if (factors.size() == 1)
        return first.name + " acts along a curve of degree " + std::to_string(term.degree()) + ".";
    if (factors.size() > 2 || term.degree() > 2)
        return nameOf(term, fit.factors) + " act together: the effect of each depends on the others.";
    const study::Factor& second = fit.factors[factors[1]];
    return first.name + " and " + second.name + " act together: a high " + second.name +
           (effect < 0 ? " weakens (or turns)" : " strengthens") + " what " + first.name + " adds.";
}

} // namespace

bool explainsNoMoreThanChance(const Fit& fit)
{
    const AnovaRow* model = rowOf(fit, "Model");
    return fit.r2 && model != nullptr && model->p && !isSignificant(*model);
}

std::vector<std::string> readAnova(const Fit& fit)
{
    if (!fit.isOk())
        return {fit.message};
    if (!fit.r2)
        return {"The response is the same in every run: there is nothing to explain."};
    std::vector<std::string> sentences;
    const AnovaRow* model = rowOf(fit, "Model");
    if (model == nullptr)
        sentences.push_back("The model is the mean alone: no factor is in it.");
    else
        sentences.push_back(modelSentence(fit, *model));
    readGroups(fit, sentences);
    readError(fit, sentences);
    return sentences;
}

std::vector<std::string> readCoefficients(const Fit& fit)
{
    if (!fit.isOk())
        return {fit.message};
    std::vector<const Effect*> active;
    std::vector<std::string> idle, sentences;
    for (const Effect& effect : fit.effects) {
        const bool isBeyond = fit.effectLimit.method == "lenth"
                                  ? std::abs(effect.effect) > fit.effectLimit.value
                                  : effect.p && *effect.p < 1 - fit.confidence;
        if (isBeyond)
            active.push_back(&effect);
        else
            idle.push_back(effect.term);
    }
    std::ranges::stable_sort(active, std::greater{},
                             [](const Effect* effect) { return std::abs(effect->effect); });
    for (std::size_t i = 0; i < active.size() && i < kMostTerms; ++i) {
        if (const Term* term = termNamed(fit, active[i]->term))
            sentences.push_back(effectSentence(fit, *term, active[i]->effect));
    }
    if (active.size() > kMostTerms)
        sentences.push_back(text::formatCount(active.size() - kMostTerms, "smaller term") +
                            " can be told from chance, too.");
    if (active.empty() && !idle.empty())
        sentences.push_back("No effect can be told from chance.");
    else if (!idle.empty())
        sentences.push_back("Not to be told from chance: " + text::formatList(idle) + ".");
    if (!fit.aliased.empty())
        sentences.push_back("The runs cannot tell these from other terms: " + text::formatList(fit.aliased) +
                            ".");
    return sentences;
}

} // namespace quadric::model
