// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/equation.h"

#include "core/model/base/distributions.h"
#include "core/model/base/term.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"
#include "core/study/enum_names.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace quadric::report {

namespace {

using model::ActualTerm;

constexpr double kShareOfHalfWidth = 1e-3, kShareOfSize = 1e-6;
constexpr int kMostDigits = 17; ///< what a double needs to read back the same

/// A term with levels in place of contrasts: 1 where every factor has its level, otherwise 0.
using LevelTerm = ActualTerm;

std::vector<LevelTerm> merged(const std::vector<LevelTerm>& terms)
{
    std::vector<LevelTerm> sum;
    for (const LevelTerm& term : terms) {
        const auto known = std::ranges::find_if(sum, [&term](const LevelTerm& other) {
            return other.powers == term.powers && other.contrast == term.contrast;
        });
        if (known == sum.end())
            sum.push_back(term);
        else
            known->estimate += term.estimate;
    }
    return sum;
}

/// The contrasts of one factor by the indicators of its levels but the first, which is 1 less all others: a
/// sum-to-zero contrast is the indicator of its level less that of the last one.
void replaceContrast(const ActualTerm& term, std::size_t factor, int levels, std::vector<LevelTerm>& terms)
{
    const auto add = [&](int level, double sign) {
        LevelTerm& added = terms.emplace_back(term);
        added.contrast[factor] = level;
        added.powers[factor] = level < 0 ? 0 : 1;
        added.estimate *= sign;
    };
    if (term.contrast[factor] > 0) {
        add(term.contrast[factor], 1.0);
    } else {
        add(-1, 1.0);
        for (int level = 1; level < levels; ++level)
            add(level, -1.0);
    }
    add(levels - 1, -1.0);
}

std::vector<LevelTerm> withIndicators(const std::vector<ActualTerm>& terms,
                                      const std::vector<study::Factor>& factors)
{
    std::vector<LevelTerm> expanded = terms;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        std::vector<LevelTerm> next;
        for (const LevelTerm& term : expanded) {
            if (term.contrast[i] < 0)
                next.push_back(term);
            else
                replaceContrast(term, i, static_cast<int>(factors[i].categories.size()), next);
        }
        expanded = std::move(next);
    }
    return expanded.size() == terms.size() ? terms : merged(expanded);
}

/// Largest size of the factor on its scale, over the region and the runs.
double largestOnScale(const model::Fit& fit, std::size_t factor)
{
    const study::Factor& f = fit.factors[factor];
    const double low = study::onScale(f, f.low), high = study::onScale(f, f.high);
    const auto at = [&](double coded) { return std::abs((high + low + coded * (high - low)) / 2); };
    const auto [from, to] = factor < fit.reach.size() ? fit.reach[factor] : std::pair(-1.0, 1.0);
    return std::max(at(std::min(from, -1.0)), at(std::max(to, 1.0)));
}

double largestOf(const model::Fit& fit, const LevelTerm& term)
{
    double largest = 1.0;
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        if (fit.factors[i].isNumeric())
            largest *= std::pow(largestOnScale(fit, i), term.powers[i]);
    }
    return largest;
}

/// By how much a prediction may be off, on the model's scale.
double allowedError(const model::Fit& fit)
{
    const double size = std::abs(fit.beta[0]) + fit.beta.tail(fit.beta.size() - 1).cwiseAbs().maxCoeff();
    const double finest = kShareOfSize * (size > 0.0 ? size : 1.0);
    if (fit.dfResidual == 0 || !(fit.sigma > 0.0))
        return finest;
    const double quantile = model::tLimit(1 - fit.confidence, model::PredictionError(fit).df());
    return kShareOfHalfWidth * quantile * std::sqrt(model::varianceOfNewRun(fit));
}

/// The shortest text that is within `error` of the value.
std::string roundedText(double value, double error)
{
    std::array<char, 64> text{};
    for (int digits = 1; digits <= kMostDigits; ++digits) {
        char* end = std::to_chars(text.begin(), text.end(), value, std::chars_format::general, digits).ptr;
        double read = 0.0;
        std::from_chars(text.data(), end, read);
        if (std::abs(read - value) <= error || digits == kMostDigits)
            return {text.data(), end};
    }
    return {};
}

bool isPlainName(const std::string& name)
{
    const auto isLetter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
    };
    return !name.empty() && isLetter(name.front()) &&
           std::ranges::all_of(name, [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

std::string quotedName(const std::string& name)
{
    return isPlainName(name) ? name : "`" + name + "`";
}

std::string factorText(const study::Factor& factor, int power, int level)
{
    const std::string name = quotedName(factor.name);
    if (!factor.isNumeric())
        return "(" + name + " == \"" + factor.categories[static_cast<std::size_t>(level)] + "\")";
    const std::string base = factor.scale == study::Scale::Log2 ? "log2(" + name + ")" : name;
    return power == 1 ? base : base + "^" + std::to_string(power);
}

/// The sum of the terms, each with the digits that it needs.
std::string sumText(const model::Fit& fit, const std::vector<LevelTerm>& terms)
{
    const double error = allowedError(fit) / static_cast<double>(terms.size());
    std::string text;
    for (const LevelTerm& term : terms) {
        const double most = error / largestOf(fit, term);
        if (std::abs(term.estimate) <= most)
            continue;
        const bool isNegative = term.estimate < 0.0;
        text += text.empty() ? (isNegative ? "-" : "") : (isNegative ? " - " : " + ");
        text += roundedText(std::abs(term.estimate), most);
        for (std::size_t i = 0; i < fit.factors.size(); ++i) {
            if (term.powers[i] > 0)
                text += " * " + factorText(fit.factors[i], term.powers[i], term.contrast[i]);
        }
    }
    return text.empty() ? "0" : text;
}

std::string inverted(const study::Transform& transform, const std::string& sum)
{
    if (transform.kind == study::TransformKind::None)
        return sum;
    if (model::isLogarithm(transform))
        return "exp(" + sum + ")";
    if (transform.kind == study::TransformKind::Logit) {
        const std::string width =
            text::formatExactly(transform.high - transform.low) + " / (1 + exp(-(" + sum + ")))";
        return transform.low == 0.0 ? width : text::formatExactly(transform.low) + " + " + width;
    }
    if (transform.kind == study::TransformKind::Sqrt)
        return "(" + sum + ")^2";
    if (transform.kind == study::TransformKind::Inverse)
        return "1 / (" + sum + ")";
    const std::string lambda = text::formatExactly(transform.lambda);
    return "(1 + (" + lambda + ") * (" + sum + "))^(1 / (" + lambda + "))";
}

/// Of the factors that the model contains.
std::vector<std::string> log2Factors(const model::Fit& fit)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        const study::Factor& factor = fit.factors[i];
        const bool isInModel =
            std::ranges::any_of(fit.terms, [i](const model::Term& term) { return term.powers[i] > 0; });
        if (isInModel && factor.isNumeric() && factor.scale == study::Scale::Log2)
            names.push_back(factor.name);
    }
    return names;
}

std::string scalesText(const model::Fit& fit)
{
    const std::vector<std::string> names = log2Factors(fit);
    return names.empty() ? "" : " with the log₂ of " + text::formatList(names);
}

std::string transformText(const model::Fit& fit)
{
    if (fit.transform.kind == study::TransformKind::None)
        return "";
    if (model::isLogarithm(fit.transform))
        return "; the model is of the natural logarithm, so that it gives medians";
    const std::string kind = fit.transform.kind == study::TransformKind::Sqrt      ? "square root"
                             : fit.transform.kind == study::TransformKind::Inverse ? "inverse"
                             : fit.transform.kind == study::TransformKind::Logit   ? "logit"
                                                                                   : "Box–Cox transform";
    return "; the model is of the " + kind + ", so that it gives medians";
}

} // namespace

std::string writeEquation(const model::Fit& fit)
{
    if (!fit.isOk())
        return {};
    const auto terms =
        withIndicators(model::actualPolynomial(fit.columns, fit.beta, fit.factors), fit.factors);
    return quotedName(fit.response) + " = " + inverted(fit.transform, sumText(fit, terms));
}

std::string describeEquation(const model::Fit& fit)
{
    const std::string digits = fit.dfResidual > 0 && fit.sigma > 0.0
                                   ? "a thousandth of the half width of the 95 % interval of a new run"
                                   : "a millionth of its size";
    return "In actual units" + scalesText(fit) + transformText(fit) +
           ". Within the region of the runs it gives the model's predictions to " + digits + ".";
}

std::string describeModel(const model::Fit& fit)
{
    if (!fit.isOk())
        return fit.message;
    const bool isTransformed = fit.transform.kind != study::TransformKind::None;
    std::vector<std::string> parts{isTransformed ? study::nameOf(fit.transform) : "no transform"};
    if (const std::vector<std::string> names = log2Factors(fit); !names.empty())
        parts.push_back(text::joinWords(names, ", ") + " on log₂");
    const std::ptrdiff_t terms =
        std::ranges::count_if(fit.terms, [](const model::Term& term) { return !term.isIntercept(); });
    parts.push_back(text::formatCount(terms, "term"));
    return text::joinWords(parts, " · ");
}

} // namespace quadric::report
